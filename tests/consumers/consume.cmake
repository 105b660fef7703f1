# Configures, builds and tests a consumer: cmake -DCONSUMER=its source -DFOLDER=where, emptied first [-DKEEP=ON: not] -DARGUMENTS=... -P this.
if(NOT KEEP)
  file(REMOVE_RECURSE ${FOLDER})
endif()
file(MAKE_DIRECTORY ${FOLDER})
file(COPY ${CONSUMER}/ DESTINATION ${FOLDER}/source)
foreach(step
    "${CMAKE_COMMAND};-S;${FOLDER}/source;-B;${FOLDER}/build;-G;Ninja;-DCMAKE_BUILD_TYPE=Release;${ARGUMENTS}"
    "${CMAKE_COMMAND};--build;${FOLDER}/build"
    "${CMAKE_CTEST_COMMAND};--test-dir;${FOLDER}/build;--output-on-failure;--no-tests=error")
  execute_process(COMMAND ${step} WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
