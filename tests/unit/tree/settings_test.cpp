/// Settings of trees as text, and what is refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "solving.hpp"

#include <pleiad/error.hpp>

#include <functional>

using namespace pleiad;
using namespace pleiad::tree_test;

namespace {

/// The refusal's message; "" when there is none.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}
void expect_refused(const std::string& text, const std::string& says) {
  const auto message = refusal([&] { tree_settings_of(text); });
  EXPECT_NE(message.find(says), std::string::npos) << "'" << text << "' gives: " << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

}  // namespace

TEST(TreeSettingsText, ComesBackAsItWas) {
  std::vector<TreeSettings> all{{},
                                {.order = 8, .theta = 0.1 + 0.2, .leaf_size = 1, .wide = true},
                                {.mac = Mac::error, .tolerance = 1e-7 / 3},
                                {.structure = Structure::kd},
                                {.solver = Solver::barnes_hut, .structure = Structure::bvh, .order = 2}};
  for (const int order : orders) all.push_back({.order = order, .theta = 1, .leaf_size = 4096});
  for (const auto& s : all) {
    auto back = tree_settings_of(text_of(s));
    // What is not in use is not written.
    if (s.mac == Mac::error) back.theta = s.theta;
    EXPECT_TRUE(back == s) << text_of(s);
    EXPECT_EQ(text_of(back), text_of(s));
  }
  EXPECT_EQ(text_of(TreeSettings{}), "cpu/fmm order=5 theta=0.7 leaf=48");
  const auto* kd = "cpu/barnes-hut structure=kd order=2 theta=0.6 leaf=48 group=32";
  EXPECT_EQ(text_of(tree_settings_of(kd)), kd);
}

TEST(TreeSettingsText, MayLeaveOutWhatIsUsual) {
  EXPECT_TRUE(tree_settings_of("cpu/fmm") == TreeSettings{});
  EXPECT_TRUE(tree_settings_of("  fmm   theta=0.7 ") == TreeSettings{});
  EXPECT_TRUE(tree_settings_of("fmm structure=octree") == TreeSettings{});
}

TEST(TreeSettingsText, NamesTheDevice) {
  const auto s = tree_settings_of("cuda/fmm order=4 theta=0.5 leaf=64");
  EXPECT_EQ(s.device, Device::cuda);
  EXPECT_EQ(text_of(s), "cuda/fmm order=4 theta=0.5 leaf=64");
  EXPECT_EQ(tree_settings_of("cpu/fmm").device, Device::cpu);
  const auto* walks = "cuda/barnes-hut order=2 criterion=error tolerance=0.01 leaf=32 group=64";
  EXPECT_EQ(text_of(tree_settings_of(walks)), walks);
}

TEST(TreeSettingsText, RefusesWhatIsNotOnTheGpu) {
  expect_refused("cuda/fmm order=8", "has the orders 4, 5, 6");
  expect_refused("cuda/fmm criterion=sides theta=0.7", "fmm has spheres and error");
  expect_refused("cuda/fmm wide=1", "in single precision");
  expect_refused("cuda/fmm structure=kd", "not available for cuda/fmm, which uses an octree");
  expect_refused("cuda/barnes-hut order=4", "cuda/barnes-hut has the orders 1, 2, 3");
  expect_refused("cuda/barnes-hut order=2 group=256", "groups of at most 128");
  expect_refused("cuda/barnes-hut order=2 structure=bvh",
                 "not available for cuda/barnes-hut, which uses an octree");
  EXPECT_THROW(make_tree_solver<F32>(tree_settings_of("cuda/fmm")), UsageError);
}

TEST(TreeSettingsText, IsRefusedInWordsThatSayWhatWouldBeRight) {
  expect_refused("", "begin with cpu/fmm");
  expect_refused("   ", "begin with cpu/fmm");
  expect_refused("cpu/fm", "did you mean 'fmm'");
  expect_refused("barnes_hut", "did you mean 'barnes-hut'");
  expect_refused("cpu/direct", "'direct' is no ");
  expect_refused("fmm ordr=5", "did you mean 'order'");
  expect_refused("fmm tolerence=5", "did you mean 'tolerance'");
  expect_refused("fmm theta", "word=value");
  expect_refused("fmm theta=", "a number is needed after theta=");
  expect_refused("fmm theta=0.7x", "a number is needed after theta=");
  expect_refused("fmm theta=nan", "a number is needed after theta=");
  expect_refused("fmm theta=inf", "a number is needed after theta=");
  expect_refused("fmm leaf=4.5", "a whole number is needed after leaf=");
  expect_refused("fmm order=1e300", "a whole number is needed after order=");
  expect_refused("fmm wide=7", "it is 0 or 1");
  expect_refused("fmm order=3 order=5", "order is set twice");
  expect_refused("fmm order=7", "3, 4, 5, 6, 8");
  expect_refused("fmm order=2", "3, 4, 5, 6, 8");
  expect_refused("fmm order=-5", "3, 4, 5, 6, 8");
  expect_refused("fmm criterion=sphere", "did you mean 'spheres'");
  expect_refused("fmm criterion=sides", "is for barnes-hut only");
  expect_refused("fmm criterion=classic", "is for barnes-hut only");
  expect_refused("fmm theta=0", "theta = 0 must be above 0");
  expect_refused("fmm theta=-1", "must be above 0");
  expect_refused("fmm theta=1.01", "at most 1");
  expect_refused("fmm criterion=error", "tolerance = 0 must be between 0 and 1");
  expect_refused("fmm criterion=error tolerance=1", "must be between 0 and 1");
  expect_refused("fmm structure=octtree", "did you mean 'octree'");
  expect_refused("fmm structure=1", "it is one of octree, kd, bvh");
  expect_refused("fmm structur=kd", "did you mean 'structure'");
  expect_refused("fmm leaf=0", "leaf = 0 must be from 1 to 4096");
  expect_refused("fmm leaf=4097", "must be from 1 to 4096");
  expect_refused("fmm group=0", "group = 0 must be from 1 to 4096");
}

TEST(TreeSettingsText, IsCheckedWhereverSettingsComeFrom) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const TreeSettings& s : {TreeSettings{.order = 0},
                                {.order = 7},
                                {.theta = nan},
                                {.mac = Mac::error, .tolerance = nan},
                                {.leaf_size = 0}}) {
    EXPECT_NE(refusal([&] { need_able(s); }), "");
    EXPECT_NE(refusal([&] { make_tree_solver<Mixed>(s); }), "");
  }
}

TEST(TreeSettingsText, APeriodicBoxIsRefused) {
  const auto bodies = random_cube(10, 1);
  Sums<F64> sums(bodies.size());
  const auto solver = make_tree_solver<F64>({});
  const auto message = refusal([&] {
    solver->evaluate({.targets = bodies, .sources = bodies, .sums = sums, .boundary = {.periodic = true}});
  });
  EXPECT_NE(message.find("use direct sums"), std::string::npos) << message;
}
