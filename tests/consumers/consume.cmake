# Configures, builds and tests a consumer in folders of its own:
# cmake -DCONSUMER=its source -DSOURCE=where to copy it -DBUILD=where to build it [-DKEEP=ON: what was built stays] -DARGUMENTS=... -P this.
file(REMOVE_RECURSE ${SOURCE})
if(NOT KEEP)
  file(REMOVE_RECURSE ${BUILD})
endif()
file(COPY ${CONSUMER}/ DESTINATION ${SOURCE})
foreach(step
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${BUILD};-G;Ninja;-DCMAKE_BUILD_TYPE=Release;${ARGUMENTS}"
    "${CMAKE_COMMAND};--build;${BUILD}"
    "${CMAKE_CTEST_COMMAND};--test-dir;${BUILD};--output-on-failure;--no-tests=error")
  execute_process(COMMAND ${step} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
