/// The catalogue and the choice from it.
#include "core/threads.hpp"
#include "scenes.hpp"

#include <pleiad/choice.hpp>
#include <pleiad/error.hpp>

#include <set>

using namespace pleiad;

using conformance::kernels_here;

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
        EXPECT_EQ(all.kernel, one.kernel);
        EXPECT_EQ(all.why, one.why);
        EXPECT_FALSE(all.why.empty());
        EXPECT_TRUE(all.kernel->has(precision) && all.kernel->traits.reproducible &&
                    all.kernel->traits.any_threads);
        EXPECT_TRUE(!periodic || all.kernel->traits.periodic);
      }
}

TEST(Choice, KnowsTheInstructionSet) {
  EXPECT_FALSE(simd_target().empty());
  EXPECT_GE(simd_lanes_f32(), 1);
}
