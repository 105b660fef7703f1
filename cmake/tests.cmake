# How a test is declared: every CMakeLists.txt below tests/ uses only these.

# set_tests_properties with a TIMEOUT that is ten times as long under a sanitizer.
set(pleiad_slower 1)
if(PLEIAD_SANITIZE OR PLEIAD_SANITIZE_THREAD)
  set(pleiad_slower 10)
endif()
function(pleiad_tests_have)
  set(arguments "")
  set(before "")
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE ${last})
    set(argument "${ARGV${i}}")
    if(before STREQUAL "TIMEOUT")
      math(EXPR argument "${pleiad_slower} * ${argument}")
    endif()
    set(before "${argument}")
    string(REPLACE ";" "\\;" argument "${argument}")
    list(APPEND arguments "${argument}")
  endforeach()
  set_tests_properties(${arguments})
endfunction()

# What one file names at its top, another one of the same program may name in a function. Builds without PLEIAD_UNITY check each file by itself.
# A library, since its options come after those of pleiad_flags.
add_library(pleiad_test_flags INTERFACE)
target_compile_options(pleiad_test_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)

# pleiad_test(NAME SOURCES ... [ALONE ...] DEPENDS ... LABELS fast [TIMEOUT s] [EMULATED module ...] [ALL pattern ...] [APART pattern ...]): one program,
# whose SOURCES are compiled several at a time, and ALONE those that define names which another file of the program defines too. Each suite
# of it is an entry of ctest, NAME.Suite, that is one process (suites.cmake). A test that matches a pattern, as of --gtest_filter, is an entry of its own,
# NAME.Suite.Test: ALL is for those that only `make test-all` runs, APART for those that a preset leaves out. The pattern Suite.* takes the suite as it is.
# None may depend on what the tuner has measured: it finds no place for a cache.
function(pleiad_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;ALONE;DEPENDS;LABELS;EMULATED;ALL;APART" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 600)
  endif()
  math(EXPR T_TIMEOUT "${pleiad_slower} * ${T_TIMEOUT}")
  add_executable(test_${name} ${T_SOURCES} ${T_ALONE})
  set_source_files_properties(${T_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(test_${name} PROPERTIES PLEIAD_EMULATED "${T_EMULATED}")
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(test_${name} PRIVATE
    PLEIAD_SOURCE_DIR="${PROJECT_SOURCE_DIR}" PLEIAD_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(test_${name} PRIVATE pleiad_flags ${T_DEPENDS} GTest::gtest_main)
  pleiad_seldom(test_${name} HEADERS pleiad_test_headers)
  pleiad_together(test_${name})
  target_link_libraries(test_${name} PRIVATE pleiad_test_flags)
  if(T_DEPENDS)
    target_sources(test_${name} PRIVATE $<TARGET_OBJECTS:pleiad_test_threads>)
  endif()

  set(threads "${pleiad_one_thread}")
  if("gpu" IN_LIST T_LABELS)
    set(threads "")  # one after another
  endif()
  set(entries ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(GENERATE OUTPUT ${entries}_suites.cmake CONTENT
"set(name ${name})
set(program [[$<TARGET_FILE:test_${name}>]])
set(emulator [[${CMAKE_CROSSCOMPILING_EMULATOR}]])
set(entries [[${entries}_entries.cmake]])
set(results [[${PROJECT_BINARY_DIR}/gtest]])
set(timeout ${T_TIMEOUT})
set(labels \"${T_LABELS}\")
set(all \"${T_ALL}\")
set(apart \"${T_APART}\")
set(one_thread ${threads})
include([[${PROJECT_SOURCE_DIR}/cmake/suites.cmake]])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${entries}_suites.cmake)
endfunction()

# Two tests at a time on two cores: each computes with one thread, where threads are not its subject (tests/threads.cpp). The thread sanitizer wants them.
set(pleiad_one_thread "PLEIAD_TEST_THREADS=1")
if(PLEIAD_SANITIZE_THREAD)
  set(pleiad_one_thread "")
endif()

# pleiad_test_again(NAME ENTRY FILTER LABELS label ... [ENVIRONMENT variable=value ...]): the tests of test_NAME that match FILTER in one more entry, NAME.ENTRY.
function(pleiad_test_again name entry filter)
  cmake_parse_arguments(T "" "" "LABELS;ENVIRONMENT" ${ARGN})
  add_test(NAME ${name}.${entry} COMMAND test_${name} --gtest_filter=${filter})
  pleiad_tests_have(${name}.${entry} PROPERTIES LABELS "${T_LABELS}" TIMEOUT 600
    ENVIRONMENT "XDG_CACHE_HOME=/dev/null;GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/gtest/${name}.${entry}.xml;${pleiad_one_thread};${T_ENVIRONMENT}")
endfunction()

# The tests of test_NAME that match FILTER once more with AVX2, which machines with AVX-512 would not use: one ctest,
# in which each of them is told its instruction set (tests/instruction_set.cpp).
function(pleiad_test_avx2 name filter)
  target_sources(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/instruction_set.cpp)
  pleiad_test_again(${name} avx2 ${filter} LABELS all ENVIRONMENT PLEIAD_TEST_SIMD=AVX2)
endfunction()
