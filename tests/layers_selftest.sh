#!/bin/sh
# The layer test must catch what it is for: each forbidden thing, planted once, is named.
set -eu
root=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
plant() { # FILE LINE EXPECTED-COMPLAINT
  rm -rf "$copy/src" "$copy/docs"
  cp -r "$root/src" "$root/docs" "$copy"
  printf '%s\n' "$2" >>"$copy/$1"
  if found=$(sh "$root/tests/layers.sh" "$copy"); then
    echo "not caught: $2 in $1"
    exit 1
  fi
  printf '%s\n' "$found" | grep -qF "$3" || { echo "not named: $3, but: $found"; exit 1; }
}
plant src/image/plan.cc '#include "engine/ports.h"' 'image/plan.cc: must not include engine/'
plant src/base/bytes.h '#include "image/image.h"' 'base/bytes.h: must not include image/'
plant src/engine/ports.h '#include "cri/runtime.h"' 'engine/ports.h: must not include cri/'
plant src/cri/planted.cc '#include "history/history.h"' 'cri/planted.cc: must not include history/'
plant src/image/plan.cc '#include <fstream>' 'image/plan.cc: a pure folder must not include <fstream>'
plant src/image/use.cc '#include <yaml-cpp/yaml.h>' 'must not include <yaml-cpp/yaml.h>'
plant src/image/use.cc 'auto t = std::chrono::system_clock::now();' 'must not ask the world'
mkdir -p "$copy"
echo "every planted include was caught"
