#!/bin/sh
# Who may know whom: checks every include of src/ against the table in docs/architecture.md.
# Usage: layers.sh ROOT      exits 1 and names each include that breaks the table.
set -eu
root=$1
table=$(sed -n 's/^| `\([a-z]*\)\/` | \([^|]*\) | \([^|]*\) |.*/\1:\2:\3/p' "$root/docs/architecture.md")
[ -n "$table" ] || { echo "no table of folders in docs/architecture.md"; exit 1; }
bad=0
complain() { echo "$1"; bad=1; }

knows() { # FOLDER OTHER
  row=$(printf '%s\n' "$table" | grep "^$1:") || return 1
  allowed=$(printf '%s' "$row" | cut -d: -f2)
  case " $allowed " in
    *" $2 "*) return 0 ;;
    *" all but "*) case " ${allowed##*all but } " in *" $2 "*) return 1 ;; *) return 0 ;; esac ;;
  esac
  return 1
}

for dir in "$root"/src/*/; do
  folder=$(basename "$dir")
  printf '%s\n' "$table" | grep -q "^$folder:" || complain "src/$folder/ is not in the table"
  pure=$(printf '%s\n' "$table" | sed -n "s/^$folder:[^:]*:.*PURE.*/yes/p")
  for file in "$dir"*.cc "$dir"*.h; do
    [ -e "$file" ] || continue
    name=$folder/$(basename "$file")
    for include in $(sed -n 's/^#include "\([a-z_]*\)\/.*/\1/p' "$file" | sort -u); do
      [ "$include" = "$folder" ] && continue
      # A test may stand on the stand-ins of testing/.
      case $name in *_test.cc | *_test.h) [ "$include" = testing ] && continue ;; esac
      knows "$folder" "$include" || complain "$name: must not include $include/"
    done
    case $name in *_test.cc | *_test.h) continue ;; esac
    [ "$pure" = yes ] || continue
    for header in $(sed -n 's/^#include <\(.*\)>.*/\1/p' "$file"); do
      case $header in
        */* | *.h | fstream | filesystem | iostream | thread | mutex | condition_variable | future)
          complain "$name: a pure folder must not include <$header>" ;;
      esac
    done
    grep -nE '_clock::now|\b(getenv|system|time)\(' "$file" >/dev/null &&
      complain "$name: a pure folder must not ask the world"
  done
done
exit $bad
