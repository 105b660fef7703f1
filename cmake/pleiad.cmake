# How a module and the compiler's flags are declared: every CMakeLists.txt below uses only these, and those of tests what is in tests.cmake.

# Objects are shared by build folders and by checkouts: paths below the checkout count as relative to it. A precompiled header is told
# by its content.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()

# Contraction off: the same source gives the same bits at every optimisation level; kernels ask for fma where they want it.
add_library(pleiad_flags INTERFACE)
set(cxx_flags -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  -Wno-psabi -ffp-contract=off -fno-math-errno $<$<BOOL:${PLEIAD_WERROR}>:-Werror>
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
# On the GPU: subnormals are zero, which saves instructions per reciprocal root. The standard as a flag: CMake 3.25 drops CUDA_STANDARD 20.
set(cuda_flags -std=c++20 -ftz=true -Xcompiler=-Wall,-Wextra,-Wno-psabi
  $<$<BOOL:${PLEIAD_WERROR}>:-Werror=all-warnings> $<$<BOOL:${PLEIAD_WERROR}>:-Xcompiler=-Werror>)
target_compile_options(pleiad_flags INTERFACE
  $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:${cxx_flags}> $<$<COMPILE_LANGUAGE:CUDA>:${cuda_flags}>)

option(PLEIAD_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(PLEIAD_SANITIZE_THREAD "Thread sanitizer" OFF)
option(PLEIAD_FUZZ "Only what the fuzz targets need, for libFuzzer, with address and undefined-behaviour sanitizers; needs clang" OFF)
function(pleiad_sanitize compile link)
  # GCC 12 takes parts of std::regex for uninitialized where it is instrumented (bug 105562).
  target_compile_options(pleiad_flags INTERFACE
    $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-fsanitize=${compile} -fno-sanitize-recover=all -fno-omit-frame-pointer>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(pleiad_flags INTERFACE -fsanitize=${link})
  # Kernels for one set of vectors instead of six: what the sanitizers look for is the same in each, and compiling them takes minutes.
  if(NOT PLEIAD_SANITIZE)
    target_compile_definitions(pleiad_flags INTERFACE HWY_COMPILE_ONLY_STATIC)
  endif()
endfunction()
if(PLEIAD_SANITIZE)
  pleiad_sanitize(address,undefined address,undefined)
elseif(PLEIAD_SANITIZE_THREAD)
  pleiad_sanitize(thread thread)
elseif(PLEIAD_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "PLEIAD_FUZZ needs clang: libFuzzer is a part of it; use the preset fuzz")
  endif()
  pleiad_sanitize(fuzzer-no-link,address,undefined,float-cast-overflow address,undefined)
endif()

# pleiad_vector_loops(FILE ...): loops in vectors, whose arrays should be in registers. With -O1, and with the address sanitizer's look for uses after
# the end of a scope, GCC leaves them in memory: evaluations took 45 to 60 times as long. So these files go without this one check.
function(pleiad_vector_loops)
  if(PLEIAD_SANITIZE)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -O2 -fno-sanitize-address-use-after-scope)
  endif()
endfunction()

# pleiad_without_sanitizers(FILE ...): instances of templates whose smaller instances have the checks. A function of thousands of lines
# takes GCC 13 more than seven minutes with any of the checks, and one without.
function(pleiad_without_sanitizers)
  if(PLEIAD_SANITIZE OR PLEIAD_SANITIZE_THREAD)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -O1 -g0 -fno-sanitize=all)
  endif()
endfunction()

# Code that waits for others to compute, reads arguments, writes tables: -O1 takes little more than half as long to compile as -O3, and gives
# the same bits. What most of these files include is read once; no file may rely on it: the sanitizers' builds go without.
set(common_headers <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <optional> <ranges> <span>
  <string> <string_view> <utility> <vector> <fmt/format.h> <fmt/ranges.h>)
#
# GCC 12 warns of its own strings where they are inlined (bug 105651), the more so behind a precompiled header and in a unity build: those warnings
# are no errors here. The sanitizers' builds have them as errors.
set(no_errors "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-error=array-bounds;-Wno-error=restrict;-Wno-error=stringop-overflow;-Wno-error=stringop-overread>")
function(pleiad_seldom target)
  target_link_libraries(${target} PRIVATE pleiad_flags fmt::fmt)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1> ${no_errors})
  cmake_parse_arguments(S "" "HEADERS" "" ${ARGN})
  target_precompile_headers(${target} REUSE_FROM ${S_HEADERS})
endfunction()
# The target that reads them, for libraries; tests have their own, as programs have other flags.
function(pleiad_common_headers target)
  target_link_libraries(${target} PRIVATE pleiad_flags fmt::fmt)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(${target} PRIVATE ${common_headers} ${ARGN})
endfunction()

# A unity build: most of the time that a file takes is that of its headers, which several files read once. Not for the sanitizers, whose builds show
# that each file includes what it uses.
option(PLEIAD_UNITY "Compile the files of a folder twelve at a time: a first build takes half as long, one after a small change longer" ON)
function(pleiad_together target)
  if(PLEIAD_UNITY AND NOT PLEIAD_SANITIZE AND NOT PLEIAD_SANITIZE_THREAD AND NOT PLEIAD_FUZZ)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    # The compiler takes all files but the first for headers, where what one file alone knows should not be in what others see.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage> ${no_errors})
  endif()
endfunction()

# pleiad_module(NAME [SELDOM] [APART] SOURCES a.cpp ... DEPENDS pleiad_x ... PRIVATE_DEPENDS lib ...): one static library per folder of src.
# APART: no unity build, for files that define the same names, or that are compiled for each instruction set.
function(pleiad_module name)
  cmake_parse_arguments(M "SELDOM;APART" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(pleiad_${name} STATIC ${M_SOURCES})
  target_include_directories(pleiad_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(pleiad_${name} PUBLIC ${M_DEPENDS} PRIVATE pleiad_flags ${M_PRIVATE_DEPENDS})
  if(M_SELDOM)
    pleiad_seldom(pleiad_${name} HEADERS pleiad_headers)
  endif()
  if(NOT M_APART)
    pleiad_together(pleiad_${name})
  endif()
endfunction()

# pleiad_part(MODULE NAME [EMULATED] SOURCES ... DEPENDS ...): the part of a module that a program has, or, EMULATED, one on the emulated GPU: that
# is a program whose property PLEIAD_EMULATED, a list, names the module.
function(pleiad_part module name)
  cmake_parse_arguments(P "EMULATED" "" "SOURCES;DEPENDS" ${ARGN})
  pleiad_module(${name} SOURCES ${P_SOURCES} DEPENDS ${P_DEPENDS})
  set(chosen $<IN_LIST:${module},$<TARGET_PROPERTY:PLEIAD_EMULATED>>)
  if(NOT P_EMULATED)
    set(chosen $<NOT:${chosen}>)
  endif()
  target_link_libraries(pleiad_${module} INTERFACE $<${chosen}:pleiad_${name}>)
endfunction()

# pleiad_catalogue(FUNCTION TYPE T HEADER h.hpp [NAMESPACE n] [FILE f] NAMES a b ...): writes the source of `std::span<const T* const> FUNCTION()`,
# all of the descriptors named, each of which some file defines; its path is in f_source. FILE: FUNCTION.
function(pleiad_catalogue function)
  cmake_parse_arguments(C "" "TYPE;HEADER;NAMESPACE;FILE" "NAMES" ${ARGN})
  foreach(name IN LISTS C_NAMES)
    string(APPEND declarations "extern const ${C_TYPE} ${name};\n")
  endforeach()
  list(LENGTH C_NAMES count)
  string(REGEX REPLACE "([^;]+)" "&\\1" addresses "${C_NAMES}")
  string(REPLACE ";" ", " addresses "${addresses}")
  if(NOT C_NAMESPACE)
    set(C_NAMESPACE pleiad)
  endif()
  if(NOT C_FILE)
    set(C_FILE ${function})
  endif()
  file(RELATIVE_PATH where ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${C_FILE}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"// Written by CMake from the lists of @where@/CMakeLists.txt.
#include <@C_HEADER@>

#include <array>

namespace @C_NAMESPACE@ {
@declarations@std::span<const @C_TYPE@* const> @function@() {
  static constexpr std::array<const @C_TYPE@*, @count@> all{@addresses@};
  return all;
}
}
")
  set(${C_FILE}_source ${source} PARENT_SCOPE)
endfunction()

# pleiad_kinds(word ... FOLDER f NAMESPACE n): writes f/kinds.hpp, which includes f/word.hpp for each word and lists the static members `kind` of the
# classes of their names in CamelCase. The first class stands for a number that is none of theirs.
function(pleiad_kinds)
  cmake_parse_arguments(K "" "FOLDER;NAMESPACE" "" ${ARGN})
  set(kinds "")
  set(number 0)
  foreach(file IN LISTS K_UNPARSED_ARGUMENTS)
    string(REPLACE "_" ";" words ${file})
    set(class "")
    foreach(word IN LISTS words)
      string(SUBSTRING ${word} 0 1 first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${first} first)
      string(APPEND class ${first}${rest})
    endforeach()
    if(number EQUAL 0)
      set(default ${class})
    endif()
    string(APPEND headers "#include \"${K_FOLDER}/${file}.hpp\"\n")
    string(APPEND cases "    case ${number}:\n      return use(${class}{});\n")
    list(APPEND kinds "${class}::kind")
    math(EXPR number "${number} + 1")
  endforeach()
  string(REPLACE ";" ", " kinds "${kinds}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${K_FOLDER}/kinds.hpp @ONLY CONTENT
"/// Written by CMake from the list of src/@K_FOLDER@/CMakeLists.txt.
#pragma once

@headers@
namespace pleiad::@K_NAMESPACE@ {

inline constexpr std::array kinds{@kinds@};

/// use(K{}) with the class K of this kind; the number must be one of the list.
template <class Use>
PLEIAD_HD auto with_kind(int kind, const Use& use) {
  switch (kind) {
@cases@    default:
      return use(@default@{});
  }
}

}  // namespace pleiad::@K_NAMESPACE@
")
endfunction()

# pleiad_emulated_sources(RESULT FOLDER file.cu ...): the kernels' files for the emulator, a wrapper .cpp for each FOLDER/file.cu, since one file has one language.
function(pleiad_emulated_sources result folder)
  set(wrappers)
  foreach(file IN LISTS ARGN)
    string(REGEX REPLACE "\\.cu$" ".cpp" wrapper ${CMAKE_CURRENT_BINARY_DIR}/emulated_${file})
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${folder}/${file}\"\n" @ONLY)
    list(APPEND wrappers ${wrapper})
  endforeach()
  set(${result} ${wrappers} PARENT_SCOPE)
endfunction()
