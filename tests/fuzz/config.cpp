/// The configuration as a text, and each of its lines as a setting of `--set`.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/config.hpp"

#include "target.hpp"

using namespace pleiad;
using namespace pleiad::fuzz;

namespace {

/// What was accepted is printed as a text that means the same.
void check_printed(const Options& options) {
  Options again;
  require(!refused([&] { again = parse_config(to_toml(options), "printed"); }),
          "the printed configuration parses");
  require(again == options, "the printed configuration means the same");
  refused([&] { check(options); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto text = text_of(data, size);
  Options options;
  if (!refused([&] { options = parse_config(text, "fuzz.toml"); })) check_printed(options);
  Options changed;
  bool any = false;
  for (int lines = 0; lines < 40 && !text.empty(); ++lines) {
    const auto end = text.find('\n');
    const Options before = changed;
    if (refused([&] { apply_setting(changed, text.substr(0, end)); }))
      require(changed == before, "a setting that is refused changes nothing");
    else any = true;
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  if (any) check_printed(changed);
  return 0;
}
