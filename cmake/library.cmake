# The library as others link it: pleiad::shared and pleiad::static of the same objects; pleiad::pleiad is the static one here, or the shared one
# where BUILD_SHARED_LIBS is on, and the shared one where it is installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)

set(parts core cosmology orbits regular potentials added_forces capabilities ranks cpu tree encounters domain direct library_kernels integrate accuracy host_engine engine engine_here sim models durable files checkpoint tune_cache tune control ensemble library)
if(PLEIAD_HAS_CUDA)
  list(APPEND parts cuda device_engine device_members)
  find_package(CUDAToolkit REQUIRED)
else()
  list(APPEND parts ensemble_here)
endif()
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_OBJECTS:pleiad_\\1>" OUTPUT_VARIABLE objects)

function(pleiad_library_target kind)
  string(TOUPPER ${kind} type)
  add_library(pleiad_${kind} ${type} ${objects})
  add_library(pleiad::${kind} ALIAS pleiad_${kind})
  set_target_properties(pleiad_${kind} PROPERTIES OUTPUT_NAME pleiad EXPORT_NAME ${kind} LINKER_LANGUAGE CXX)
  target_compile_features(pleiad_${kind} INTERFACE cxx_std_20)
  target_include_directories(pleiad_${kind} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(pleiad_${kind} PRIVATE Threads::Threads TBB::tbb fmt::fmt PkgConfig::HWY PkgConfig::XXHASH PkgConfig::HDF5_SERIAL
    $<$<BOOL:${PLEIAD_HAS_CUDA}>:CUDA::cudart_static>)
  install(TARGETS pleiad_${kind} EXPORT pleiad_${kind})
  install(EXPORT pleiad_${kind} FILE ${kind}.cmake NAMESPACE pleiad:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pleiad)
endfunction()
pleiad_library_target(static)
pleiad_library_target(shared)
# Before 1.0 a minor version may change what is shown: it is a part of the library's name.
set(map ${PROJECT_SOURCE_DIR}/src/library/exported.map)
set_target_properties(pleiad_shared PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS ${map})
# With the sanitizers' runtime, where there are any: nothing may be left undefined.
target_link_options(pleiad_shared PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined $<TARGET_PROPERTY:pleiad_flags,INTERFACE_LINK_OPTIONS>)
if(BUILD_SHARED_LIBS)
  add_library(pleiad::pleiad ALIAS pleiad_shared)
else()
  add_library(pleiad::pleiad ALIAS pleiad_static)
endif()

install(DIRECTORY include/pleiad DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(cmake/pleiadConfig.cmake.in ${PROJECT_BINARY_DIR}/package/pleiadConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pleiad)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/pleiadConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/pleiadConfig.cmake ${PROJECT_BINARY_DIR}/package/pleiadConfigVersion.cmake cmake/hdf5.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pleiad)
file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
list(JOIN HDF5_SERIAL_LDFLAGS " " hdf5_flags)
set(url_line)
if(PLEIAD_URL)
  set(url_line "URL: ${PLEIAD_URL}\n")
endif()
configure_file(cmake/pleiad.pc.in ${PROJECT_BINARY_DIR}/package/pleiad.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/pleiad.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES third_party/pocketfft/LICENSE.md RENAME LICENSE.pocketfft DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(READ SECURITY.md security)
if(PLEIAD_CONTACT)
  string(APPEND security "\nContact: ${PLEIAD_CONTACT}\n")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/SECURITY.md CONTENT "${security}" @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# cpack -G DEB
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pleiad)
set(CPACK_PACKAGE_CONTACT "Pleiad contributors")
if(PLEIAD_CONTACT)
  set(CPACK_PACKAGE_CONTACT ${PLEIAD_CONTACT})
endif()
if(PLEIAD_URL)
  set(CPACK_PACKAGE_HOMEPAGE_URL ${PLEIAD_URL})
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, ffmpeg")  # for plots and movies
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libtbb-dev, libfmt-dev, libhwy-dev, libxxhash-dev, libhdf5-dev")  # for who links the static library
include(CPack)
