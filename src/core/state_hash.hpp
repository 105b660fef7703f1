/// The hash of a state, from its bytes piece by piece: see state_hash in pleiad/bodies.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

struct XXH3_state_s;

namespace pleiad {

class StateHash {
 public:
  StateHash();
  ~StateHash();
  StateHash(const StateHash&) = delete;
  StateHash& operator=(const StateHash&) = delete;
  /// The hash does not depend on the division of the bytes into calls.
  void add(std::string_view bytes);
  /// The hash of all bytes added, as 32 hex digits.
  std::string text() const;

 private:
  XXH3_state_s* state_;
};

}  // namespace pleiad
