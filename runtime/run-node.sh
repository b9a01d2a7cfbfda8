#!/bin/sh
# Runs a program of the service so that it starts fast, needs little memory and gives back what it no longer needs.
# What Node compiled for an earlier start is kept beside the packages; where nothing can be written, nothing is.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE-$(dirname "$0")/../node_modules/.cache/compiled}"
# docs/performance.md, "Memory": glibc reads its variables when a process starts. Other systems' C libraries ignore them.
export MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
exec node --max-semi-space-size=4 "$@"
