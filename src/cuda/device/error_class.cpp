#include "cuda/device/error_class.hpp"

#include <algorithm>
#include <cstdio>

namespace pleiad::cuda {
namespace {

/// "1.5 GiB", "20 bytes".
std::string bytes_named(std::size_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  double value = double(bytes);
  const char* unit = "KiB";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    value /= 1024;
    unit = next;
    if (value < 1024) break;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", value, unit);
  return text;
}

std::string room(const Failure& f) {
  std::string text;
  if (f.wanted > 0) text = bytes_named(f.wanted) + " more were asked for";
  if (f.total > 0)
    text += (text.empty() ? "" : ", ") + bytes_named(f.free) + " of " + bytes_named(f.total) +
            " are free on the GPU";
  return text.empty() ? text : text + "; ";
}

std::string advice(const Failure& f) {
  switch (f.error_class) {
    case ErrorClass::memory:
      return room(f) + "use fewer bodies, --precision f32, or more GPUs";
    case ErrorClass::launch:
      return "a kernel failed, and this process can use the GPU no more; `pleiad doctor` tests the GPU";
    case ErrorClass::ecc:
      return "the GPU's memory has an error that ECC cannot correct; use another GPU, or reset this one "
             "(nvidia-smi -q -d ECC shows the counts)";
    case ErrorClass::lost:
      return "the GPU does not answer any more; nvidia-smi and the system's log (Xid) say why";
    case ErrorClass::busy:
      return "another process has the GPU for itself; wait for it, or choose another GPU by "
             "CUDA_VISIBLE_DEVICES";
    case ErrorClass::no_code:
      return "this program has no code for this GPU; `pleiad doctor` says for which it has";
    case ErrorClass::old_driver:
      return "update the NVIDIA driver; `pleiad doctor` shows the versions";
    case ErrorClass::other:
      break;
  }
  return "";
}

}  // namespace

std::string explain(const Failure& f) {
  std::string line =
      "CUDA: " + std::string(f.words) + " (" + std::string(f.name) + " in " + std::string(f.where) + ")";
  if (const auto what = advice(f); !what.empty()) line += ": " + what;
  return line;
}

std::string_view short_name(std::string_view function) {
  function = function.substr(0, function.find('('));
  const auto begin = function.find_last_of(" :*&");
  return begin == function.npos ? function : function.substr(begin + 1);
}

std::string capabilities(std::string_view architectures) {
  std::string text;
  for (std::size_t begin = 0; begin < architectures.size();) {
    const std::size_t end = std::min(architectures.find(',', begin), architectures.size());
    std::string one(architectures.substr(begin, end - begin));
    one = one.substr(0, one.find_first_not_of("0123456789"));
    if (one.size() >= 2)
      text += (text.empty() ? "" : ", ") + one.substr(0, one.size() - 1) + "." + one.back();
    begin = end + 1;
  }
  return text;
}

std::string no_code_for(std::string_view device, int major, int minor, std::string_view architectures) {
  return "this build has code for compute capability " + capabilities(architectures) + ", and '" +
         std::string(device) + "' is of " + std::to_string(major) + "." + std::to_string(minor) +
         "; build with cmake --preset release-cuda -DPLEIAD_CUDA_ARCHITECTURES=" + std::to_string(major) +
         std::to_string(minor);
}

std::string driver_too_old(int driver, int runtime) {
  return "the NVIDIA driver, for CUDA " + version_named(driver) + ", is older than this build's CUDA " +
         version_named(runtime) + "; update the driver, or build with CUDA " + version_named(driver);
}

std::string version_named(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

}  // namespace pleiad::cuda
