/// Configuration: TOML in, Options out, and back again.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// One key of the configuration, for documents and completion.
struct OptionKey {
  std::string section, key, type, default_value, range, meaning;
  std::string former_name{};  ///< still read; "" if the name was never changed
};
std::vector<OptionKey> option_keys();

/// Reads a TOML file over the defaults. UsageError with file:line for unknown keys (with the nearest name),
/// wrong types, values out of range, duplicates, syntax errors, empty files, files over 1 MiB, deep nesting.
/// BOM and CRLF are accepted.
/// A key may have its former name; `notes`, where given, gets a sentence for each that does.
Options read_config(const std::filesystem::path& file, std::vector<std::string>* notes = nullptr);
Options parse_config(std::string_view text, std::string_view origin,
                     std::vector<std::string>* notes = nullptr);
/// Applies "section.key=value" (the value in TOML syntax; bare words are taken as strings). Errors and notes
/// begin with `origin`; without it with "--set SETTING: ".
void apply_setting(Options& options, std::string_view setting,
                   std::optional<std::string_view> origin = std::nullopt,
                   std::vector<std::string>* notes = nullptr);
/// "section.key" with the present name of a key that is given by its former one.
std::string present_name(std::string_view key);
/// The setting that gives `key` ("section.key") this value as it is: a name may begin with a quote.
std::string literal_setting(std::string_view key, std::string_view value);
/// Checks conditions on several keys at once (dt and t_end, file or model, adaptive and softening, ...);
/// UsageError with the range.
void check(const Options& options);

/// The effective configuration as TOML: every key with its value, 17 digits, so that parsing it gives the
/// same Options.
std::string to_toml(const Options& options);
/// The reference file: every key with its default, type, range and meaning as comments; it parses to the
/// defaults.
std::string reference_config();

}  // namespace pleiad
