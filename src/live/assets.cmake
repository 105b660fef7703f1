# cmake -DFOLDER=page -DSOURCE=assets.cpp -P assets.cmake: writes the files of a folder as arrays of bytes, with the MIME types of their endings.
set(type_html "text/html; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_svg "image/svg+xml")
set(type_png "image/png")
set(type_webmanifest "application/manifest+json")

file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
set(arrays "")
set(rows "")
set(count 0)
foreach(file IN LISTS files)
  string(REGEX REPLACE ".*\\." "" ending ${file})
  if(NOT DEFINED type_${ending})
    message(FATAL_ERROR "src/live/page/${file}: no MIME type is known for '.${ending}'")
  endif()
  file(READ ${FOLDER}/${file} hex HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char file_${count}[] = {${bytes}'\\0'};\n")
  set(value "{file_${count}, sizeof file_${count} - 1}")
  string(APPEND rows "    Asset{\"/${file}\", \"${type_${ending}}\", ${value}},\n")
  if(file STREQUAL "index.html")
    string(APPEND rows "    Asset{\"/\", \"${type_${ending}}\", ${value}},\n")
  endif()
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${SOURCE} "// Written by assets.cmake from the files of src/live/page.
#include \"live/assets.hpp\"

namespace pleiad::live {
namespace {
${arrays}
constexpr Asset all[] = {
${rows}};
}  // namespace

std::span<const Asset> assets() { return all; }

}  // namespace pleiad::live
")
