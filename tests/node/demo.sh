#!/bin/sh
# The demonstration: a throw-away Kubernetes node whose image disk is too full, and what ebb does.
#   demo.sh EBB EBB_TESTNODE
# Needs root, containerd, runc and busybox-static. Everything happens in namespaces of its own, on
# a filesystem of its own, and is gone when this script ends, however it ends.
set -eu

colour=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then colour=yes; fi
paint() { if [ -n "$colour" ]; then printf '\033[%sm%s\033[0m\n' "$1" "$2"; else printf '%s\n' "$2"; fi; }
heading() { printf '\n'; paint '1;36' "== $1"; }
say() { printf '%s\n' "$1"; }

# Shows a command as it could be typed, without the options that are the same every time; runs it.
show() {
  printf '\n'
  paint 1 "\$ ebb $*"
  # shellcheck disable=SC2086 # the options hold no blanks
  "$ebb" "$@" $options
}

pod() {
  printf '   %-9s %s\n' "$1" "$3"
  "$testnode" "$2" --socket "$EBB_NODE_SOCKET" --name "$1" --image "$3"
}

images() { "$testnode" images --socket "$EBB_NODE_SOCKET" | sort; }
used() { "$testnode" used "$EBB_NODE_DIR"; }

fail() {
  paint '1;31' "FAILED: $1" >&2
  exit 1
}

make_busy() {
  heading '1. A node'
  say "A real containerd with $(images | wc -l) images on a filesystem of its own (2 GiB, $EBB_NODE_FILESYSTEM): a small shop,
several versions of everything, shared layers, one image whose tag has moved on. There is no
network: no image that is lost can be pulled again. It starts a few pods, some of old versions:"
  printf '\n'
  pod web run-pod "$shop/web:1.6.0"
  pod api run-pod "$shop/api:2.1.0"
  pod search run-pod "$shop/search:5.1"
  pod mailer exited-pod "$shop/mailer:8"
  printf '\n'
  say "The last one has ended; its container still needs its image. The images alone fill $(used) % of the
disk; a log file that grew brings it to 92 %, where a kubelet would long have begun to remove."
  "$testnode" fill "$EBB_NODE_DIR" 92
}

look() {
  heading '2. What fills the disk'
  say 'How full it is, with the marks, and whose the bytes are.'
  show status
  heading '3. What would go'
  say 'Every image gets a verdict with its reason. The same code decides in plan and in collect. FREES is'
  say 'what a removal really frees in this order, to the byte: shared layers go with their last image.'
  say 'Two options stand behind the commands here. --min-age 0s, because this whole node was made a'
  say 'moment ago: with the usual ages everything on it would be too young to go. --max-percent 100,'
  say 'because a node this small may have to part with more than half of its images in one run.'
  show plan
}

explain() {
  heading '4. Why?'
  say 'The sandbox image: every pod needs it, no container seems to use it, and nothing can bring it'
  say 'back. Collectors that remove it leave a node on which no pod can start.'
  show explain "$sandbox"
  # shellcheck disable=SC2086 # the options hold no blanks
  going=$("$ebb" plan -o name $options | head -n 1)
  if [ -z "$going" ]; then fail 'the plan removes nothing'; fi
  printf '\n'
  say 'And the first image that is to go:'
  show explain "$(images | awk -v id="$going" '$1 == id && $3 != "<none>" { id = $3 } END { print id }')"
}

act() {
  heading '5. Removing just enough'
  say 'What is least likely to be wanted again goes first, by the bytes that really come free; no image'
  say 'that anybody uses, and no more than needed. What goes is held by a lease until a second look: an'
  say 'image that somebody began to use meanwhile would be brought back before a byte of it is lost.'
  images > /run/before
  show collect --yes
  images > /run/after
  join -v 1 /run/before /run/after > /run/removed
  if grep -qF -- "$going" /run/after; then fail "$going is still there"; fi
}

prove() {
  heading '6. The node still works'
  say 'Asked of containerd, not of ebb. One more pod, without a registry:'
  printf '\n'
  pod late run-pod "$shop/web:1.6.0"
  grep -q " $sandbox\$" /run/after || fail "$sandbox is gone"
  for name in web:1.6.0 api:2.1.0 search:5.1 mailer:8; do
    grep -q " $shop/$name\$" /run/after || fail "$name is gone, though a container uses it"
  done
  printf '\n'
  paint '1;32' "The disk is $(used) % full, $(wc -l < /run/removed) images went, $(wc -l < /run/after) stay; every image in use is there, and pods start."
}

# Writes as an application would, half a per cent of the disk every second.
write_on() {
  while :; do
    busybox head -c 10485760 /dev/zero >> "$EBB_NODE_DIR/application.log"
    sleep 1
  done
}

keep() {
  heading '7. From now on by itself'
  say 'The daemon, with the configuration an operator would write:'
  printf '\n'
  cat > "$EBB_NODE_DIR/config.yaml" <<C
apiVersion: ebb/v1alpha1
kind: NodeConfiguration
mode: enforce
imageMinimumGCAge: 0s          # this node is a few minutes old
imageMinimumUnusedAge: 0s
longIdle: 0s
listen: 127.0.0.1:9469
C
  sed 's/^/   /' "$EBB_NODE_DIR/config.yaml"
  printf '\n'
  paint 1 '$ ebb run'
  # shellcheck disable=SC2086 # the options hold no blanks
  "$ebb" run --config "$EBB_NODE_DIR/config.yaml" $options 2> "$EBB_NODE_DIR/ebb.log" &
  daemon=$!
  say 'An application now writes 10 MiB to the same disk every second. The mark is 82 %, a kubelet would'
  say 'begin at 85 %.'
  printf '\n'
  write_on &
  writer=$!
  tick=0
  highest=0
  while [ $tick -lt 24 ]; do
    now=$(used)
    if [ "$now" -gt "$highest" ]; then highest=$now; fi
    if [ $((tick % 3)) = 0 ]; then
      printf '   %2d s  %3d %% used  %2d images\n' "$tick" "$now" "$(images | wc -l)"
    fi
    sleep 1
    tick=$((tick + 1))
  done
  kill $writer
  wait $writer 2>/dev/null || true
  if [ "$highest" -ge 85 ]; then fail "the disk was $highest % full"; fi
  printf '\n'
  say 'What it said, a line for each decision:'
  printf '\n'
  grep -E ' removed |run trigger' "$EBB_NODE_DIR/ebb.log" | tail -n 6 |
    sed -e 's/ id=[^ ]*//' -e "s|$EBB_NODE_DIR/root/[^ ]*|the disk|" -e 's/^[^ ]* /   /'
  printf '\n'
  paint 1 '$ curl http://127.0.0.1:9469/metrics'
  busybox wget -q -O - http://127.0.0.1:9469/metrics |
    grep -E '^ebb_(images_removed_total|runs_total|freed_bytes_total|prediction_error_bytes|filesystem_used_ratio)' |
    sed 's/^/   /'
  guard
  kill $daemon
  wait $daemon || fail 'the daemon did not end as it should'
  images > /run/after
  prove_again
}

# By hand, as a kubelet or crictl would: every name and the ID.
guard() {
  heading '8. When somebody else removes the sandbox image'
  say 'ebb would not; a kubelet, crictl or ctr may. The daemon guards it: pinned where the runtime honours'
  say 'pins, and where it does not, as here, its names are made again from what a lease has kept.'
  show guard list
  id=$(images | awk -v name="$sandbox" '$3 == name { print $1 }')
  printf '\n'
  paint 1 "\$ ctr images rm $sandbox $id"
  ctr --address "$EBB_NODE_SOCKET" --namespace k8s.io images rm "$sandbox" "$id" > /dev/null
  tick=0
  while ! images | grep -q " $sandbox\$"; do
    tick=$((tick + 1))
    if [ $tick -gt 50 ]; then fail "$sandbox is not back"; fi
    sleep 0.1
  done
  grep 'is back after' "$EBB_NODE_DIR/ebb.log" | tail -n 1 | sed -e 's/^[^ ]* /   /'
}

prove_again() {
  printf '\n'
  pod last run-pod "$shop/api:2.1.0"
  grep -q " $sandbox\$" /run/after || fail "$sandbox is gone"
  for name in web:1.6.0 api:2.1.0 search:5.1 mailer:8; do
    grep -q " $shop/$name\$" /run/after || fail "$name is gone, though a container uses it"
  done
  printf '\n'
  paint '1;32' "The disk was never more than $highest % full; every image in use is there, and pods start."
}

inside() {
  shop=registry.shop.example
  sandbox=registry.k8s.io/pause:3.6
  options="--runtime-endpoint unix://$EBB_NODE_SOCKET --state-dir $EBB_NODE_DIR/ebb --min-age 0s --max-percent 100"
  # Nothing of the machine's own configuration has a say here.
  unset CONTAINER_RUNTIME_ENDPOINT IMAGE_SERVICE_ENDPOINT
  make_busy
  look
  explain
  act
  prove
  keep
}

outside() {
  if [ "$(id -u)" != 0 ]; then fail 'the demonstration makes a node of its own, which needs root'; fi
  # The node ends itself on these signals; the shell waits for that, so that it can say so.
  trap : INT TERM HUP
  say 'Making a throw-away node and loading its images; this takes about 20 seconds.'
  status=0
  "$testnode" run --size 2GiB --fs ext4 --demo-images -- sh "$0" --inside "$ebb" "$testnode" || status=$?
  printf '\n'
  case $status in
    0) ;;
    129 | 130 | 143)
      paint '1;31' 'Interrupted. The node is gone.' >&2
      exit "$status"
      ;;
    *) fail "a step ended with code $status; the node is gone" ;;
  esac
  say 'The node is gone: processes, mounts, loop device and cgroups. Nothing was left on this machine.'
}

mode=outside
if [ "${1:-}" = --inside ]; then
  mode=inside
  shift
fi
if [ $# != 2 ]; then
  say 'usage: demo.sh EBB EBB_TESTNODE' >&2
  exit 2
fi
ebb=$1
testnode=$2
$mode
