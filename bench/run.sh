#!/bin/sh
# Prints the figures of docs/performance.md. BENCH_IMAGES is how many images are removed.
set -eu
cd "$(dirname "$0")/../build/release"
bench/bench_decide
bench/bench_family
bench/bench_plan
bench/bench_store
bench/bench_daemon
bench/bench_remove 100 100
bench/bench_remove 100 900
bench/bench_remove "${BENCH_IMAGES:-1000}"
