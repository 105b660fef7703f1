/// A build with CUDA: the engine on the GPU in each precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device.hpp"

#include "cuda/device/device.hpp"
#include "engine/device_engine.hpp"

#include <pleiad/error.hpp>

namespace pleiad {

const bool built_for_devices = true;

std::string why_no_device() { return cuda::why_no_device(); }

std::unique_ptr<Engine> make_device_engine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                           Precision precision) {
  if (choice.gpus > 1)
    throw ResourceError("gpus = " + std::to_string(choice.gpus) +
                        ": there is no engine for several GPUs yet");
  switch (precision) {
    case Precision::f32:
      return std::make_unique<DeviceEngine<F32>>(bodies, gravity, std::move(choice), precision);
    case Precision::f64:
      return std::make_unique<DeviceEngine<F64>>(bodies, gravity, std::move(choice), precision);
    case Precision::mixed:
      break;
  }
  return std::make_unique<DeviceEngine<Mixed>>(bodies, gravity, std::move(choice), precision);
}

}  // namespace pleiad
