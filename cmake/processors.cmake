# For which instruction sets the loops in vectors are compiled; the fastest that a processor has is chosen at run time.
option(PLEIAD_OLD_PROCESSORS "On x86-64, compile for processors without AVX2 (before 2013), too: a first build takes a tenth longer" ON)

# Where this machine is such a processor itself, the option is always on.
set(pleiad_oldest "")
if(NOT PLEIAD_OLD_PROCESSORS AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64" AND NOT CMAKE_CROSSCOMPILING)
  include(CheckCXXSourceRuns)
  set(CMAKE_REQUIRED_LIBRARIES PkgConfig::HWY)
  check_cxx_source_runs("#include <hwy/highway.h>
    int main() { return (hwy::SupportedTargets() & HWY_AVX2) ? 0 : 1; }" PLEIAD_THIS_PROCESSOR_HAS_AVX2)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(PLEIAD_THIS_PROCESSOR_HAS_AVX2)
    set(pleiad_oldest HWY_AVX2)
  endif()
endif()

# pleiad_instruction_sets(TARGET WITHOUT set ...): all that Highway has for this architecture, but those.
#
# On 64-bit ARM, Highway's vectors of NEON belong to functions that may use the instructions for AES, too, and what the compiler adds by itself,
# such as the constructor of an array of vectors, is no such function. With the option all are; none uses these instructions.
function(pleiad_instruction_sets target)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-march=armv8-a+crypto>)
  endif()
  cmake_parse_arguments(I "" "" "WITHOUT" ${ARGN})
  if(pleiad_oldest)
    list(APPEND I_WITHOUT HWY_SCALAR HWY_SSE4)
    target_compile_definitions(${target} PRIVATE HWY_BASELINE_TARGETS=${pleiad_oldest})
  endif()
  list(REMOVE_DUPLICATES I_WITHOUT)
  list(JOIN I_WITHOUT "|" without)
  target_compile_definitions(${target} PRIVATE "HWY_DISABLED_TARGETS=(${without})")
endfunction()
