/// Sums of two doubles, and the order of the chain.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "regular/chain.hpp"

#include "bodies.hpp"

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::regular;

TEST(DoubleSums, KeepThePartsThatDoublesLose) {
  DoubleSum sum{1, 0};
  for (int k = 0; k < 1000; ++k) sum += DoubleSum{1e-20, 0};
  // A thousand sums with relative errors of 2^-104 of 1.
  EXPECT_LE(std::abs((sum - DoubleSum{1, 0}).value() / 1e-17 - 1), 1000 * 0x1p-104 / 1e-17);
  const auto third = DoubleSum{1, 0} / DoubleSum{3, 0};
  EXPECT_LE(std::abs((third * 3.0 - DoubleSum{1, 0}).value()), 0x1p-100);
  EXPECT_LE(std::abs((third * third - DoubleSum{1, 0} / DoubleSum{9, 0}).value()), 0x1p-100);
}

TEST(Chains, BeginWithTheNearestPairAndGoToTheNextBodyFromEitherEnd) {
  // On a line: the nearest two are at 5 and 5.1; 4 is nearer to the end at 5 than 7 to that at 5.1.
  std::vector<DoubleVec> x;
  for (const double at : {7.0, 5.1, 4.0, 0.0, 5.0}) x.push_back(double_vec({at, 0, 0}));
  const auto order = chain_order(x);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 4, 2, 3}));
  // Two that are nearer than a unit in the last place of their positions.
  x[3] = x[0], x[3].x += DoubleSum{1e-20, 0};
  EXPECT_EQ(chain_order(x), (std::vector<std::size_t>{0, 3, 1, 4, 2}));
}

TEST(Chains, HaveOneBodyOrNone) {
  EXPECT_TRUE(chain_order({}).empty());
  const std::vector<DoubleVec> one(1);
  EXPECT_EQ(chain_order(one), std::vector<std::size_t>{0});
}
