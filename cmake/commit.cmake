# Writes the commit of the source into a header, touched only when it changes. Run at every build with -DSOURCE= -DHEADER=.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT
"#pragma once
namespace pleiad {
inline constexpr const char* source_commit = \"@commit@\";
}
" @ONLY)
