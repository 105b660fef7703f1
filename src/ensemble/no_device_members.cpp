#include "engine/device.hpp"
#include "ensemble/device.hpp"

#include <pleiad/error.hpp>

namespace pleiad {

std::string why_not_on_device(std::span<const Member>, const EngineOptions&,
                              std::span<const EnsembleKernel* const>) {
  return why_no_device();
}
std::unique_ptr<Members> make_device_members(std::vector<Member>, const EngineOptions&,
                                             std::span<const EnsembleKernel* const>) {
  throw ResourceError(why_no_device(), Error::Code::no_device);
}

}  // namespace pleiad
