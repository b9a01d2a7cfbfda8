#!/bin/sh
# Runs a program of the service so that it needs little memory and gives back what it no longer needs (docs/performance.md,
# "Memory"): glibc reads its variables when a process starts. Other systems' C libraries ignore them.
export MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
exec node --max-semi-space-size=4 "$@"
