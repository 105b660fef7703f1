/// The catalogue and the choice from it.
#include "core/threads.hpp"
#include "direct/why_not.hpp"
#include "scenes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <set>

using namespace pleiad;

using conformance::kernels_here;

namespace {

/// A GPU's catalogue as a build with CUDA has it, as far as the choice looks: names and traits.
constexpr LaunchShape block{.threads_per_block = 256},
    wide{.threads_per_block = 128, .bodies_per_thread = 12};
void run_f32(const PairProblem<F32>&, const LaunchShape&) {}
void run_f64(const PairProblem<F64>&, const LaunchShape&) {}
void run_mixed(const PairProblem<Mixed>&, const LaunchShape&) {}
void step_mixed(const StepProblem<Mixed>&, const LaunchShape&) {}
constexpr DirectKernel one_sided(std::string_view name) {
  return {.name = name,
          .idea = {},
          .device = Device::cuda,
          .shapes = {&block, 1},
          .f32 = run_f32,
          .f64 = run_f64,
          .mixed = run_mixed};
}
constexpr DirectKernel symmetric(std::string_view name, Run<F32>* f32, Run<F64>* f64, Run<Mixed>* mixed) {
  return {.name = name,
          .idea = {},
          .device = Device::cuda,
          .traits = {.periodic = false},
          .shapes = {&wide, 1},
          .f32 = f32,
          .f64 = f64,
          .mixed = mixed};
}
constexpr StepKernel for_steps(std::string_view name, std::size_t most) {
  return {.name = name, .idea = {}, .most_bodies = most, .shapes = {&block, 1}, .mixed = step_mixed};
}
constexpr DirectKernel tile = one_sided("cuda/tile"), split = one_sided("cuda/split-reduced"),
                       scaled = symmetric("cuda/scaled-source", run_f32, nullptr, nullptr),
                       equal = symmetric("cuda/equal-mass", run_f32, nullptr, nullptr),
                       fp64 = symmetric("cuda/fp64-symmetric", nullptr, run_f64, nullptr),
                       mixed = symmetric("cuda/mixed-symmetric", nullptr, nullptr, run_mixed);
constexpr StepKernel block_steps = for_steps("cuda/block-steps", 512),
                     grid_steps = for_steps("cuda/grid-steps", 4096);
constexpr std::array gpu_kernels{&tile, &split, &scaled, &equal, &fp64, &mixed};
constexpr std::array gpu_steps{&block_steps, &grid_steps};
constexpr Catalogue gpu{gpu_kernels, gpu_steps}, without_steps{gpu_kernels, {}};

/// The text of the choice on a GPU.
std::string on_gpu(std::size_t n, Precision precision, Masses masses = Masses::any, bool periodic = false,
                   const Catalogue& from = gpu) {
  return text_of(
      choose_device_kernel(n, precision, {.boundary = {.periodic = periodic}}, masses, from).method);
}
std::string refusal(std::string_view text, const Catalogue& from = gpu) {
  try {
    return "accepted as " + text_of(force_method_of(text, from));
  } catch (const UsageError& e) {
    return e.what();
  }
}

}  // namespace

TEST(Catalogue, ListsEachRungOnceInLearningOrder) {
  std::set<std::string_view> names;
  int rung = 0;
  for (const DirectKernel* kernel : kernels_here()) {
    EXPECT_TRUE(names.insert(kernel->name).second) << kernel->name;
    EXPECT_EQ(&direct_kernel(kernel->name), kernel);
    EXPECT_GT(kernel->rung, rung) << kernel->name;
    rung = kernel->rung;
    EXPECT_FALSE(kernel->idea.empty());
    for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed})
      EXPECT_TRUE(kernel->has(precision)) << kernel->name;
    EXPECT_GT(kernel->fma_port_operations.f32, 0);
    EXPECT_GT(kernel->fma_port_operations.f64, 0);
    EXPECT_GT(kernel->fma_port_operations.mixed, 0);
  }
  for (const char* name : {"cpu/scalar", "cpu/blocked", "cpu/simd", "cpu/threads", "cpu/symmetric"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Catalogue, AnswersATypoWithTheNearestName) {
  try {
    direct_kernel("cpu/simt");
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "no direct kernel 'cpu/simt'; did you mean 'cpu/simd'?");
  }
}

TEST(Choice, DependsOnItsArgumentsAlone) {
  for (const std::size_t n : {1, 100, 1000, 3000, 10000, 100000})
    for (const auto precision : {Precision::f32, Precision::f64, Precision::mixed})
      for (const bool periodic : {false, true}) {
        const Gravity gravity{.boundary = {.periodic = periodic}};
        const Choice all = choose_direct_kernel(n, precision, gravity);
        set_threads(1);
        const Choice one = choose_direct_kernel(n, precision, gravity);
        set_threads(0);
        EXPECT_EQ(all.method, one.method);
        EXPECT_EQ(all.why, one.why);
        EXPECT_FALSE(all.why.empty());
        const auto& traits = all.method.kernel->traits;
        EXPECT_TRUE(all.method.kernel->has(precision) && traits.reproducible && traits.any_threads);
        EXPECT_TRUE(!periodic || traits.periodic);
      }
}

TEST(Choice, OnAGpuFollowsTheTable) {
  const auto mixed_at = [](std::size_t n) { return on_gpu(n, Precision::mixed); };
  EXPECT_EQ(mixed_at(48), "cuda/split-reduced block=256; steps cuda/block-steps block=256");
  // No cluster-steps in this catalogue: the next row.
  EXPECT_EQ(mixed_at(256), "cuda/split-reduced block=256; steps cuda/grid-steps block=256");
  EXPECT_EQ(mixed_at(4097), "cuda/split-reduced block=256");
  EXPECT_EQ(mixed_at(12288), "cuda/mixed-symmetric block=128 bodies=12");
  EXPECT_EQ(on_gpu(64, Precision::f64), "cuda/split-reduced block=256");
  EXPECT_EQ(on_gpu(20000, Precision::f64), "cuda/fp64-symmetric block=128 bodies=12");
  EXPECT_EQ(on_gpu(20000, Precision::f32), "cuda/split-reduced block=256");
  EXPECT_EQ(on_gpu(65536, Precision::f32), "cuda/scaled-source block=128 bodies=12");
  EXPECT_EQ(on_gpu(65536, Precision::f32, Masses::equal), "cuda/equal-mass block=128 bodies=12");
  EXPECT_EQ(on_gpu(65536, Precision::mixed, Masses::any, true), "cuda/split-reduced block=256");
  EXPECT_EQ(on_gpu(64, Precision::mixed, Masses::any, true), "cuda/split-reduced block=256");
  EXPECT_EQ(on_gpu(64, Precision::mixed, Masses::any, false, without_steps), "cuda/split-reduced block=256");
  constexpr std::array only_tile{&tile};
  EXPECT_EQ(on_gpu(65536, Precision::mixed, Masses::any, false, {only_tile, {}}), "cuda/tile block=256");
  EXPECT_THROW(on_gpu(1, Precision::f32, Masses::any, false, {{}, {}}), UsageError);
}

TEST(Choice, TakesMassesForEqualOnlyWhenTheyAre) {
  Bodies b;
  EXPECT_EQ(masses_of(b), Masses::any);
  for (int i = 0; i < 3; ++i) b.add(2, {double(i), 0, 0}, {0, 0, 0});
  EXPECT_EQ(masses_of(b), Masses::equal);
  b.mass[2] = 2.0000000000000004;
  EXPECT_EQ(masses_of(b), Masses::any);
  b.mass = {0, 0, 0};
  EXPECT_EQ(masses_of(b), Masses::any);
}

TEST(ForceMethodText, IsReadBackAsItWas) {
  for (const char* text :
       {"cuda/tile", "cuda/tile block=256", "cuda/mixed-symmetric block=128 bodies=12",
        "cuda/tile block=1 bodies=2 threads=3 stride=4 grid=5", "steps cuda/grid-steps block=512",
        "cuda/mixed-symmetric block=128 bodies=12; steps cuda/grid-steps block=256"})
    EXPECT_EQ(text_of(force_method_of(text, gpu)), text);
  for (const DirectKernel* kernel : direct_kernels()) {
    EXPECT_EQ(force_method_of(kernel->name)->kernel, kernel);
    for (const auto& shape : kernel->shapes)
      EXPECT_EQ(force_method_of(text_of(ForceMethod{.kernel = kernel, .shape = shape}))->shape, shape)
          << kernel->name;
  }
  EXPECT_EQ(text_of(force_method_of("cuda/grid-steps block=64", gpu)), "steps cuda/grid-steps block=64");
  EXPECT_EQ(text_of(force_method_of("  steps cuda/grid-steps ;  cuda/tile  grid=7 ", gpu)),
            "cuda/tile grid=7; steps cuda/grid-steps");
}

TEST(ForceMethodText, IsRefusedInWords) {
  EXPECT_EQ(refusal("cuda/tyle"), "no kernel 'cuda/tyle'; did you mean 'cuda/tile'?");
  EXPECT_EQ(refusal("cuda/grid-step"), "no kernel 'cuda/grid-step'; did you mean 'cuda/grid-steps'?");
  EXPECT_EQ(refusal("cuda/tile; steps cuda/block-step"),
            "no kernel 'cuda/block-step' for steps; did you mean 'cuda/block-steps'?");
  EXPECT_EQ(refusal("cuda/tile blok=256"), "kernel 'cuda/tile': no shape 'blok'; did you mean 'block'?");
  EXPECT_EQ(refusal("cuda/tile 256"),
            "kernel 'cuda/tile': no shape '256'; it is a list like block=256 bodies=4");
  for (const char* text : {"cuda/tile block=0", "cuda/tile block=-1", "cuda/tile block=1.5",
                           "cuda/tile block=", "cuda/tile block", "cuda/tile block=99999999999"})
    EXPECT_NE(refusal(text).find("must be block= and a whole number from 1 on"), std::string::npos)
        << refusal(text);
  EXPECT_EQ(refusal("cuda/tile block=1 block=2"), "kernel 'cuda/tile': block is set twice");
  for (const char* text :
       {"cuda/tile; cuda/naive", "cuda/tile; cuda/tile", "", " ; ", "steps", "cuda/tile; steps",
        "steps cuda/tile", "steps cuda/grid-steps; steps cuda/block-steps"})
    EXPECT_FALSE(refusal(text).starts_with("accepted")) << text;
  EXPECT_EQ(refusal("cpu/simd block=256", catalogue()),
            "kernel 'cpu/simd' has no launch shape; leave 'block=256' out");
}

TEST(Choice, IsRefusedWhereItCannotCompute) {
  const auto why = [](std::string_view text, std::size_t n, Precision precision,
                      bool periodic) -> std::string {
    try {
      need_able(*force_method_of(text, gpu),
                {.n = n, .gravity = {.boundary = {.periodic = periodic}}, .precision = precision});
      return "";
    } catch (const UsageError& e) {
      return e.what();
    }
  };
  EXPECT_EQ(why("cuda/tile", 1 << 20, Precision::f64, true), "");
  EXPECT_EQ(why("cuda/grid-steps", 4096, Precision::mixed, false), "");
  EXPECT_EQ(why("cuda/grid-steps", 4097, Precision::mixed, false),
            "kernel 'cuda/grid-steps' takes at most 4096 bodies, not 4097; choose another kernel");
  EXPECT_EQ(why("cuda/grid-steps", 1, Precision::f32, false),
            "kernel 'cuda/grid-steps' has no f32 form; choose another kernel or precision");
  EXPECT_EQ(why("cuda/tile; steps cuda/grid-steps", 1, Precision::mixed, true),
            "kernel 'cuda/grid-steps' does not know periodic boxes; choose another kernel");
  EXPECT_EQ(why("cuda/fp64-symmetric", 1, Precision::mixed, false),
            "kernel 'cuda/fp64-symmetric' has no mixed form; choose another kernel or precision");
}

TEST(WhyNot, IsOneSentenceForWhatTreesAndJerksCannot) {
  const auto why = [](const char* text, const Gravity& gravity, bool jerks,
                      Precision precision = Precision::mixed) {
    return why_not(*force_method_of(text), {.n = 100,
                                            .gravity = gravity,
                                            .precision = precision,
                                            .integrator = jerks ? &integrator_named("hermite4") : nullptr})
        .value_or("");
  };
  const Gravity open{}, nearest{.boundary = {.periodic = true}},
      all{.boundary = {.periodic = true, .images = Images::all}},
      flat{.boundary = all.boundary, .dimension = 2};
  EXPECT_EQ(why("cpu/fmm", open, false), "");
  EXPECT_EQ(why("cpu/fmm", all, false), "");
  EXPECT_EQ(why("cpu/ewald", all, false), "");
  EXPECT_EQ(why("cpu/simd", open, true), "");
  EXPECT_NE(why("cpu/simd", open, true, Precision::f32).find("needs precision f64 or mixed"),
            std::string::npos);
  EXPECT_EQ(why("cpu/fmm", nearest, false),
            "trees in a periodic box need gravity.images = \"all\"; set it, or use direct sums");
  EXPECT_EQ(why("cuda/fmm", all, false), "");
  EXPECT_EQ(why("cuda/fmm", nearest, false),
            "trees in a periodic box need gravity.images = \"all\"; set it, or use direct sums");
  EXPECT_EQ(why("cuda/barnes-hut order=2", all, false), "");
  EXPECT_EQ(why_not(*force_method_of("cuda/fmm"), {.n = 100, .gravity = all, .gpus = 2}),
            "gpus = 2 cannot be used: 'cuda/fmm' computes a periodic box on one GPU; choose one");
  EXPECT_EQ(why_not(*force_method_of("cuda/fmm"), {.n = 100, .gravity = all, .on_ranks = true}),
            "'cuda/fmm' computes a periodic box on one GPU of one process, not on several ranks; use one "
            "process, or --backend cpu");
  EXPECT_EQ(why("cuda/barnes-hut order=2", open, false, Precision::f64),
            "'cuda/barnes-hut' has no f64 form; choose another kernel or precision");
  EXPECT_EQ(
      why("cpu/barnes-hut", open, true),
      "integrator hermite4 needs jerks, which trees do not provide; use another integrator, or direct sums");
  EXPECT_EQ(why("cpu/ewald", all, true),
            "integrator hermite4 needs jerks, which Ewald summation does not provide; use another "
            "integrator, or gravity.images = \"nearest\"");
  EXPECT_NE(why("cpu/ewald", flat, false).find("needs gravity.dimension = 3"), std::string::npos);
  EXPECT_NE(why("cpu/fmm rebuild_every=2", open, false).find("would build other cells"), std::string::npos);
  EXPECT_EQ(
      why_not(ForceMethod{.kernel = &tile},
              {.n = 1, .gravity = open, .integrator = &integrator_named("hermite4")}),
      "integrator hermite4 needs jerks, which the GPU does not compute yet; use --backend cpu, or another "
      "integrator");
}

TEST(Choice, KnowsTheInstructionSet) {
  EXPECT_FALSE(simd_target().empty());
  EXPECT_GE(simd_lanes_f32(), 1);
}
