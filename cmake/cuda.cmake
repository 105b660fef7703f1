# Kernels for NVIDIA GPUs, where there is nvcc: sets PLEIAD_HAS_CUDA. The program still starts, and runs on the CPU, on a machine without a GPU
# or its driver: only the static runtime is linked.
set(PLEIAD_CUDA AUTO CACHE STRING "Kernels for NVIDIA GPUs: AUTO (where nvcc is found), ON or OFF")
set_property(CACHE PLEIAD_CUDA PROPERTY STRINGS AUTO ON OFF)
set(PLEIAD_CUDA_ARCHITECTURES 80 90 CACHE STRING "Compute capabilities to compile for, as in 80;90")
set(PLEIAD_HAS_CUDA OFF)
if(NOT PLEIAD_CUDA)
  return()
endif()

set(CMAKE_CUDA_ARCHITECTURES ${PLEIAD_CUDA_ARCHITECTURES})
if(CCACHE_PROGRAM)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD_REQUIRED OFF)  # the flag is in pleiad_flags
  set(PLEIAD_HAS_CUDA ON)
elseif(PLEIAD_CUDA STREQUAL "ON")
  message(FATAL_ERROR "PLEIAD_CUDA is ON, but no nvcc was found; put CUDA's bin folder on the PATH or set CUDACXX=/path/to/nvcc")
endif()
