#include <pleiad/choice.hpp>
#include <pleiad/error.hpp>

#include <vector>

#include <fmt/core.h>

namespace pleiad {

const DirectKernel& direct_kernel(std::string_view name) {
  std::vector<std::string_view> names;
  for (const DirectKernel* kernel : direct_kernels()) {
    if (kernel->name == name) return *kernel;
    names.push_back(kernel->name);
  }
  throw UsageError(fmt::format("no direct kernel '{}'{}", name, did_you_mean(name, names)));
}

// Deterministic: a resumed run, or one on fewer cores, must choose the same kernel to give the same bits.
Choice choose_direct_kernel(std::size_t n, Precision, const Gravity&) {
  constexpr std::size_t symmetric_from = 192;
  if (n < symmetric_from)
    return {.kernel = &direct_kernel("cpu/threads"),
            .why = fmt::format("{} bodies are too few to gain from computing each pair once", n)};
  return {.kernel = &direct_kernel("cpu/symmetric"),
          .why = fmt::format("from {} bodies on, computing each pair once is fastest", symmetric_from)};
}

// Best first; each is reproducible. In mixed precision computing each pair once wins where there are enough
// pairs of blocks to fill a GPU: measured on an H200, 707 against 468 G/s at 16384 bodies, 44 against 331 at
// 4096.
Choice choose_device_kernel(std::size_t n, Precision precision, const Gravity& gravity) {
  constexpr std::size_t symmetric_from = 12288;
  const bool symmetric = precision == Precision::mixed && n >= symmetric_from;
  for (const std::string_view name :
       {symmetric ? "cuda/mixed-symmetric" : "cuda/split-reduced", "cuda/split-reduced", "cuda/tile"})
    for (const DirectKernel* kernel : direct_kernels())
      if (kernel->name == name && kernel->has(precision) && kernel->traits.reproducible &&
          (kernel->traits.periodic || !gravity.boundary.periodic))
        return {.kernel = kernel,
                .why = fmt::format("the fastest reproducible {} kernel on the GPU", name_of(precision))};
  throw UsageError(fmt::format("no kernel on the GPU computes this in {}", name_of(precision)));
}

}  // namespace pleiad
