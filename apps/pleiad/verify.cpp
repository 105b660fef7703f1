/// `pleiad verify`: compares every kernel with a long double reference.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/verify.hpp"

#include "bench/gpu.hpp"
#include "bench_arguments.hpp"
#include "commands.hpp"
#include "core/print.hpp"
#include "numbers.hpp"

#include <memory>

namespace pleiad::app {
namespace {

/// The requested kernels, else all that this machine can run; a missing GPU is noted.
std::vector<const DirectKernel*> kernels_to_verify(const BenchArguments& a) {
  std::vector<const DirectKernel*> kernels;
  for (const auto& name : a.kernels) kernels.push_back(&direct_kernel(name));
  if (!kernels.empty()) return kernels;
  const auto why = bench::why_no_gpu();
  std::size_t left_out = 0;
  for (const auto* kernel : direct_kernels())
    if (kernel->device == Device::cpu || why.empty()) kernels.push_back(kernel);
    else ++left_out;
  if (left_out > 0) print_err("pleiad: note: {} kernels on the GPU are left out: {}\n", left_out, why);
  return kernels;
}

}  // namespace

void add_verify(Command app, int&) {
  auto verify =
      app.add_subcommand("verify", "Check every kernel against a reference in long double precision");
  const auto a = std::make_shared<BenchArguments>();
  verify.add_option("--kernel", a->kernels, kernel_help).transform(name_of_rung());
  verify.add_option("--precision", a->precisions, "f32, mixed, f64");
  verify.add_option("-n,--bodies", a->sizes, "numbers of bodies (default: awkward ones up to 1025)")
      .transform(whole_number(1));
  verify.add_option("--json", a->json, "write the table as JSON to this file, or - for stdout");
  verify.add_option("--csv", a->csv, "write the table as CSV to this file, or - for stdout");
  verify.footer(
      "Exit code 5 when any kernel is wrong.\nExample: pleiad verify --kernel cpu/simd --precision f32");
  verify.callback([a] {
    claims_of(*a);
    const auto kernels = kernels_to_verify(*a);
    publish(bench::verify({.kernels = kernels, .precisions = precisions_of(*a), .sizes = a->sizes},
                          show_progress),
            *a);
  });
}

}  // namespace pleiad::app
