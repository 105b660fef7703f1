#!/bin/sh
# What docs/library.md promises without CMake: a program linked by what pkg-config prints, and nothing else.
# pkg_config.sh COMPILER SOURCE FOLDER: PKG_CONFIG_PATH leads to the installed tree; the programs are written to FOLDER, and run.
set -eu
compiler=$1 source=$2 folder=$3
mkdir -p "$folder"
libraries=$(pkg-config --variable=libdir pleiad)

"$compiler" -std=c++20 "$source" -o "$folder/shared" $(pkg-config --cflags --libs pleiad)
LD_LIBRARY_PATH=$libraries "$folder/shared"
LD_LIBRARY_PATH=$libraries ldd "$folder/shared" | grep -q "libpleiad.so.* => $libraries/" || { echo "the program does not load the installed library" >&2; exit 1; }

# --static names all that the static library needs.
"$compiler" -std=c++20 "$source" -o "$folder/static" $(pkg-config --cflags pleiad) -Wl,--as-needed "$libraries/libpleiad.a" $(pkg-config --static --libs pleiad)
"$folder/static"
if ldd "$folder/static" | grep libpleiad; then
  echo "the static program loads the shared library" >&2
  exit 1
fi
