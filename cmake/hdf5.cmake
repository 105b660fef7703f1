# PkgConfig::HDF5_SERIAL, HDF5 without MPI: by Debian's name, by its own, or, on systems that have no file of it for pkg-config, as CMake finds it.
# HDF5_SERIAL_LDFLAGS are the flags of the linker. The installed package of CMake includes this file, too.
foreach(module hdf5-serial hdf5)
  if(NOT TARGET PkgConfig::HDF5_SERIAL)
    pkg_check_modules(HDF5_SERIAL QUIET IMPORTED_TARGET GLOBAL ${module})
  endif()
endforeach()
if(NOT TARGET PkgConfig::HDF5_SERIAL)
  find_package(HDF5 REQUIRED COMPONENTS C)
  add_library(PkgConfig::HDF5_SERIAL INTERFACE IMPORTED GLOBAL)
  set_target_properties(PkgConfig::HDF5_SERIAL PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${HDF5_C_INCLUDE_DIRS}" INTERFACE_LINK_LIBRARIES "${HDF5_C_LIBRARIES}")
  set(HDF5_SERIAL_LDFLAGS ${HDF5_C_LIBRARIES})
endif()
