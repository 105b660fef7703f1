#include "doctor/doctor.hpp"
#include "ranks/mpi.hpp"

#include <fmt/format.h>
#include <hdf5.h>

namespace pleiad::doctor {
namespace {

constexpr const char* program_group = "program";

Finding hdf5() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  const auto built = fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE),
             loaded = fmt::format("{}.{}.{}", major, minor, release);
  if (built == loaded) return {Mark::ok, program_group, "HDF5", built};
  return {
      Mark::broken, program_group, "HDF5",
      fmt::format("built with {}, loaded {}: snapshots cannot be trusted; build again, or load the former",
                  built, loaded)};
}

}  // namespace

Findings examine_program(const std::string& version) {
#ifdef __clang__
  const char* compiler = "Clang " __clang_version__;
#else
  const char* compiler = "GCC " __VERSION__;
#endif
  const auto cuda = cuda_of_this_build();
  return {{Mark::ok, program_group, "version", version},
          {Mark::ok, program_group, "compiler", compiler},
          cuda.empty()
              ? Finding{Mark::note, program_group, "CUDA",
                        "not built in: no GPU is used (make another with cmake --preset release-cuda)"}
              : Finding{Mark::ok, program_group, "CUDA", cuda},
          hdf5(),
          ranks::built_with_mpi
              ? Finding{Mark::ok, program_group, "MPI", ranks::mpi_version()}
              : Finding{Mark::note, program_group, "MPI",
                        "not built in: a run stays on one machine (install libopenmpi-dev and build again)"}};
}

}  // namespace pleiad::doctor
