/// Dependencies point downward, and the check would notice if they did not.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "headers/layering.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace pleiad::layering;

/// What ARCHITECTURE.md says.
const Layers& stated() {
  static const Layers layers = image_planes_of(fs::path(PLEIAD_SOURCE_DIR) / "ARCHITECTURE.md");
  return layers;
}
std::vector<std::string> violations(const fs::path& root) {
  return pleiad::layering::violations(root, stated());
}

TEST(Layering, NoIncludePointsUpwardOrSideways) {
  EXPECT_GT(stated().in_order.size(), 15U);
  for (const auto& violation : violations(PLEIAD_SOURCE_DIR)) ADD_FAILURE() << violation;
  for (const auto& defect : defects(stated())) ADD_FAILURE() << defect;
}
TEST(Layering, TheTableHasNothingThatTheTreeHasNot) {
  for (const auto& edge : unused(PLEIAD_SOURCE_DIR, stated())) ADD_FAILURE() << edge;
}
TEST(Layering, RowsThatPointUpwardAreFound) {
  Layers layers;
  layers.in_order = {"a", "b"};
  layers.below = {{"a", {"b"}}, {"b", {"a"}}};
  EXPECT_EQ(defects(layers), std::vector<std::string>{"a includes b, which is not above it"});
}

/// A small tree of sound files, to plant one more into.
class PlantedTree : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root_);
    for (const auto* tree : {"include/pleiad", "src", "apps", "bench", "python"})
      fs::create_directories(root_ / tree);
    plant("include/pleiad/vec.hpp", "#include <cmath>");
    plant("include/pleiad/engine.hpp", "#include <pleiad/vec.hpp>");
    plant("src/core/threads.hpp", "");
    plant("src/core/print.hpp", "");
    plant("src/io/files/parts.hpp", "#include <pleiad/bodies.hpp>");
    plant("src/render/splat.hpp", "#include \"core/threads.hpp\"");
    plant("src/cpu/direct/01_scalar.cpp", "#include <pleiad/kernel/direct.hpp>");
    plant("src/cpu/direct/rows.hpp", "");
    plant("bench/timing.hpp", "");
    plant("apps/pleiad/run.cpp",
          "#include \"run/run.hpp\"\n#include \"bench/timing.hpp\"\n#include \"generated.hpp\"");
    plant("python/module/arrays.hpp", "#include \"run/run.hpp\"\n#include \"bench/timing.hpp\"");
    plant("python/module/forces.cpp", "#include \"module/arrays.hpp\"");
    plant("src/run/run.hpp", "#include \"render/splat.hpp\"\n#include <hdf5.h>");
  }
  void TearDown() override { fs::remove_all(root_); }
  void plant(const fs::path& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  fs::path root_ = fs::temp_directory_path() / ("pleiad_layering_" + std::to_string(::getpid()));
};

TEST_F(PlantedTree, SoundFilesPass) { EXPECT_EQ(violations(root_), std::vector<std::string>{}); }

TEST_F(PlantedTree, EveryPlantedViolationIsFound) {
  const struct {
    const char *file, *text, *expected;
  } rows[] = {
      {"src/io/files/bad.cpp", "\n#include <pleiad/engine.hpp>",
       "src/io/files/bad.cpp:2: io/files must not include"},
      {"src/io/files/bad.cpp", "  #  include\t<pleiad/simulation.hpp> // why not",
       "io/files must not include"},
      {"src/io/files/bad.cpp", "#include \"render/splat.hpp\"",
       "src/io/files/bad.cpp:1: io/files must not include src/render/splat.hpp"},
      {"src/io/files/bad.cpp", "#include \"../../render/splat.hpp\"",
       "io/files must not include src/render/splat.hpp"},
      {"src/io/checkpoint/bad.cpp", "#include \"io/files/parts.hpp\"",
       "io/checkpoint must not include src/io/files/parts.hpp"},
      {"src/render/bad.cpp", "#include <pleiad/files.hpp>",
       "render must not include include/pleiad/files.hpp (io/files)"},
      {"src/core/bad.cpp", "#include <pleiad/kernel/direct.hpp>", "core must not include"},
      {"src/reference/bad.cpp", "#include <pleiad/kernel/direct.hpp>", "reference must not include"},
      {"src/models/bad.cpp", "#include <pleiad/engine.hpp>", "models must not include"},
      {"src/engine/bad.cpp", "#include <pleiad/simulation.hpp>", "engine must not include"},
      {"src/cuda/bad.cu", "#include \"cpu/direct/rows.hpp\"",
       "cuda must not include src/cpu/direct/rows.hpp"},
      {"src/sim/bad.cpp", "#include \"run/run.hpp\"", "sim must not include src/run/run.hpp"},
      {"src/run/bad.cpp", "#include \"core/print.hpp\"", "run must not print"},
      {"src/run/bad.cpp", "#include \"bench/timing.hpp\"", "run must not include bench/timing.hpp"},
      {"bench/bad.cpp", "#include \"apps/pleiad/run.cpp\"", "bench must not include apps/pleiad/run.cpp"},
      {"apps/bad.cpp", "#include \"python/module/arrays.hpp\"",
       "apps must not include python/module/arrays.hpp"},
      {"python/bad.cpp", "#include \"apps/pleiad/run.cpp\"", "python must not include apps/pleiad/run.cpp"},
      {"src/viewer/bad.cpp", "#include <vector>", "src/viewer/bad.cpp: folder 'viewer' is not in the table"},
      {"src/io/net/bad.cpp", "#include <vector>", "src/io/net/bad.cpp: folder 'io/net' is not in the table"},
      {"src/core/bad.cpp", "#include \"nowhere.hpp\"", "\"nowhere.hpp\" is no file of the tree"},
      {"include/pleiad/news.hpp", "",
       "include/pleiad/news.hpp: a public header that the table of layers does not know"},
      {"include/pleiad/rng.hpp", "#include <cuda_runtime.h>",
       "needs the standard library only, not <cuda_runtime.h>"},
      {"include/pleiad/rng.hpp", "#include <fmt/format.h>",
       "needs the standard library only, not <fmt/format.h>"},
      {"include/pleiad/snapshot.hpp", "#include <pleiad/engine.hpp>",
       "core must not include include/pleiad/engine.hpp"},
  };
  for (const auto& row : rows) {
    plant(row.file, row.text);
    const auto found = violations(root_);
    ASSERT_EQ(found.size(), 1U) << row.file << ": " << row.text;
    EXPECT_NE(found[0].find(row.expected), std::string::npos)
        << "expected: " << row.expected << "\nactual:   " << found[0];
    fs::remove(root_ / row.file);
  }
}

}  // namespace
