/// The sample of several ranks and its direct sums: those of one process, for any number of ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks_sample.hpp"
#include "ranks/simulated.hpp"

#include <pleiad/models.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

Bodies part_of(const Bodies& all, const ranks::Division& division, int rank) {
  Bodies part;
  const auto first = division.first(rank);
  for (auto i = first; i < first + division.count(rank); ++i)
    part.add(all.mass[i], all.position(i), {}, all.type[i]);
  return part;
}

struct Scene {
  const char* name;
  Bodies bodies;
};
std::vector<Scene> scenes() {
  const auto model = [](const char* name, const char* n) {
    return make_model(name, std::vector<std::string>{n}, 5).bodies;
  };
  std::vector<Scene> all{{"plummer", model("plummer", "n=20000")},
                         {"few", model("plummer", "n=3000")},
                         {"three", model("plummer", "n=3")},
                         {"galaxies with types", model("encounter", "n=13000")},
                         {"lattice with ties", model("lattice", "side=120")}};
  Bodies one_place;
  for (int i = 0; i < 9000; ++i) one_place.add(1, {1, 2, 3}, {});
  all.push_back({"one place", one_place});
  // A clump far below the keys of the whole, of several blocks.
  Bodies clump = model("plummer", "n=12000");
  for (std::size_t i = 0; i < clump.size(); ++i)
    clump.x[i] *= 1e-12, clump.y[i] *= 1e-12, clump.z[i] *= 1e-12;
  clump.x[11999] = 1e3;
  all.push_back({"a clump within one key", clump});
  return all;
}

TEST(CollectiveSample, IsThatOfOneProcess) {
  for (const auto& scene : scenes())
    for (const std::size_t most : {100, 1000}) {
      const auto alone = sample_of(scene.bodies, most);
      for (const int ranks : {1, 2, 3, 7})
        ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& t) {
          const ranks::Division division{scene.bodies.size(), ranks};
          const auto own = part_of(scene.bodies, division, t.rank());
          const auto sample = collective_sample(ranks::Collective(t, own.size()), own, most);
          EXPECT_EQ(sample.bodies, alone.bodies) << scene.name << " on " << ranks;
          EXPECT_EQ(sample.weights, alone.weights) << scene.name << " on " << ranks;
          EXPECT_EQ(sample.closest, alone.closest) << scene.name << " on " << ranks;
          EXPECT_EQ(sample.separation, alone.separation) << scene.name << " on " << ranks;
          EXPECT_EQ(sample.acceleration, alone.acceleration) << scene.name << " on " << ranks;
        });
    }
}

TEST(CollectiveSample, HasTheDirectSumsOfOneProcess) {
  const auto bodies = make_model("plummer", std::vector<std::string>{"n=20000"}, 5).bodies;
  Gravity periodic{.softening = {0.01}, .boundary = {.periodic = true, .length = {100, 100, 100}}};
  for (const Gravity& gravity : {Gravity{.softening = {0.01}}, periodic}) {
    const auto chosen = sample_of(bodies, 700).bodies;
    const auto alone = exact_accelerations(bodies, gravity, chosen);
    for (const int ranks : {1, 2, 3, 7})
      ranks::with_simulated_ranks(ranks, [&](ranks::Communicator& t) {
        const auto own = part_of(bodies, {bodies.size(), ranks}, t.rank());
        const auto together = exact_on(Device::cpu, t, own, gravity, chosen);
        ASSERT_EQ(together.size(), alone.size());
        for (std::size_t k = 0; k < alone.size(); ++k) {
          EXPECT_EQ(together[k].x, alone[k].x);
          EXPECT_EQ(together[k].y, alone[k].y);
          EXPECT_EQ(together[k].z, alone[k].z);
        }
      });
  }
}

}  // namespace
}  // namespace pleiad
