#!/bin/sh
# Make sure that SPIN and a C compiler are there; installs what is missing with apt-get.
set -eu

missing=""
command -v spin >/dev/null 2>&1 || missing="$missing spin"
command -v gcc >/dev/null 2>&1 || missing="$missing gcc"

if [ -z "$missing" ]; then
    spin -V
    exit 0
fi

give_up() {
    echo "cannot install:$missing ($1)" >&2
    echo "Install it by hand; SPIN's sources are at https://spinroot.com. The benchmark needs both." >&2
    exit 1
}

command -v apt-get >/dev/null 2>&1 || give_up "there is no apt-get on this system"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || give_up "neither root nor sudo"
    as_root="sudo"
fi
$as_root apt-get update -q || give_up "apt-get update failed"
# shellcheck disable=SC2086
$as_root apt-get install -q -y $missing || give_up "apt-get install failed"
spin -V
