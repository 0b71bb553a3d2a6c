#!/bin/sh
# Builds every mutant and expects its suite to fail: a mutant that survives is a rule without a test.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset asan >/dev/null
cmake --build build/asan -j"$(nproc)" --target mutants | tail -n 1
survivors=0
for mutant in build/asan/tests/mutants/mutant_*; do
  name=${mutant##*/mutant_}
  if caught=$("$mutant" --gtest_brief=1 2>&1); then
    echo "SURVIVED  $name"
    survivors=$((survivors + 1))
  else
    echo "caught    $name ($(printf '%s\n' "$caught" | grep -c '^\[  FAILED  \] .*[(]' || true) tests)"
  fi
done
[ $survivors -eq 0 ]
