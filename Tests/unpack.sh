#!/bin/bash
# unpack.sh FOLDER PACKAGE…: the files of Debian packages below a folder, installed nowhere: some
# packages change the PAM stacks of the machine when they are installed.
set -euo pipefail

folder=$1
shift
mkdir -p "$folder"
cd "$folder"
for package in "$@"; do
  [ ! -d "$package" ] || continue
  apt-get -o APT::Sandbox::User=root download -qq "$package" || {
    apt-get update -qq && apt-get -o APT::Sandbox::User=root download -qq "$package"
  } || {
    echo "unpack: $package cannot be downloaded" >&2
    exit 1
  }
  dpkg-deb -x "$package"_*.deb "$package.new"
  rm "$package"_*.deb
  mv "$package.new" "$package"
done
