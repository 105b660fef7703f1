/// What ranks do together: fail alike, and hand their data to the first one, piece by piece.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/transport.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::ranks {

/// An error that all ranks know of: each ends by itself, and one of them says so.
struct AgreedError : Error {
  using Error::Error;
};

/// Calls `work` on every rank, and throws AgreedError on all of them when it has failed on some: with the
/// Error of the first one, whose message begins with its rank unless that is 0. Collective; where `work`
/// makes collective calls itself, it has to fail on all ranks at the same place or on none; or
/// it begins each of them with a call of agree(), which meets that of a rank that has failed before.
void agree(Transport& transport, const std::function<void()>& work);

/// The texts of all ranks, in their order.
std::vector<std::string> all_texts(Transport& transport, std::string_view mine);

/// Hands the bytes of all ranks, in their order, to `use` on rank 0, in pieces that are small beside memory.
/// What `use` throws is thrown there when all has come. Collective.
void relay(Transport& transport, std::string_view mine, const std::function<void(std::string_view)>& use);

/// The state_hash of the bodies of all ranks, on every rank.
std::string state_hash(Transport& transport, const Bodies& own);

}  // namespace pleiad::ranks
