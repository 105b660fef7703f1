/// TOML to Options: every key is looked up in the table, and every error states its place and the remedy.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"
#include "integrate/individual.hpp"
#include "io/config/check.hpp"
#include "io/config/config.hpp"
#include "io/config/keys.hpp"
#include "io/config/nesting.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace pleiad {
namespace config {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20;
constexpr int deepest_nesting = 16;
constexpr double largest_exact = 0x1p53;

std::string in_words(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return fmt::format("the text '{}'", shown(**node.as_string()));
    case toml::node_type::integer:
      return fmt::format("the whole number {}", **node.as_integer());
    case toml::node_type::floating_point:
      return fmt::format("the number {}", **node.as_floating_point());
    case toml::node_type::boolean:
      return **node.as_boolean() ? "true" : "false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a section";
    default:
      return "a date or time";
  }
}

/// One value being read into one key.
struct Reading {
  const Key& key;
  std::string_view where;

  [[noreturn]] void refuse_type(const std::string& found) const {
    throw UsageError(fmt::format("{}{}.{} must be {}{}, not {}", where, key.section, key.name,
                                 type_of(key).starts_with("true") || type_of(key) == "text" ? "" : "a ",
                                 type_of(key), found));
  }

  void read(const toml::node& node, std::string& into) const {
    const auto* text = node.as_string();
    if (text == nullptr) refuse_type(in_words(node));
    into = **text;
  }
  void read(const toml::node& node, bool& into) const {
    const auto* value = node.as_boolean();
    if (value == nullptr) refuse_type(in_words(node));
    into = **value;
  }
  void read(const toml::node& node, double& into) const {
    if (const auto* whole = node.as_integer()) into = static_cast<double>(**whole);
    else if (const auto* number = node.as_floating_point()) into = **number;
    else refuse_type(in_words(node));
  }
  /// Whole numbers may be written 1e6. The range is checked here, because a narrower type could not represent
  /// values outside it.
  template <class T>
  requires std::is_integral_v<T>
  void read(const toml::node& node, T& into) const {
    double number = 0;
    read(node, number);
    const auto* whole = node.as_integer();
    if (whole == nullptr && !(number == std::trunc(number) && std::abs(number) <= largest_exact))
      refuse_type(in_words(node));
    if (!key.range.admits(number))
      refuse_value(key, whole != nullptr ? fmt::to_string(**whole) : fmt::to_string(number), where);
    into = whole != nullptr ? static_cast<T>(**whole) : static_cast<T>(number);
  }
  template <class T>
  void read(const toml::node& node, std::vector<T>& into) const {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_type(in_words(node));
    into.clear();
    for (const auto& element : *list) {
      into.emplace_back();
      if (element.is_array()) refuse_type("a list of lists");
      read(element, into.back());
    }
  }
};

void assign(const Key& key, const toml::node& node, Options& options, std::string_view where) {
  const Reading reading{key, where};
  const Slot slot = key.at(options);
  std::visit([&](auto* value) { reading.read(node, *value); }, slot);
  auto& gravity = options.gravity;
  for (const Slot& states :
       {Slot(&gravity.softening), Slot(&gravity.softening_by_type), Slot(&gravity.softening_of_bodies)})
    if (slot == states) gravity.stated.softening = true;
  auto& time = options.time;
  if (slot == Slot(&time.eta)) time.stated.eta = true;
  if (slot == Slot(&time.adaptive)) time.stated.adaptive = true;
  if (slot == Slot(&time.integrator)) {
    time.stated.integrator = true;
    if (!time.stated.eta) time.eta = usual_eta(time.integrator);
  }
  if (slot == Slot(&options.solver.accuracy)) options.solver.stated.accuracy = true;
  check_value(key, options, where);
}

/// The keys of a section; of all sections where it is empty.
std::vector<std::string_view> names_in(std::string_view section) {
  std::vector<std::string_view> names;
  for (const auto& key : keys())
    if (section.empty() || key.section == section) names.push_back(key.name);
  return names;
}

bool is_section(std::string_view name) {
  return std::ranges::any_of(sections(), [&](const Section& s) { return s.name == name; });
}

[[noreturn]] void refuse_name(std::string_view section, std::string_view name, std::string_view where) {
  const auto key_named = [](std::string_view wanted) {
    return std::ranges::find_if(keys(), [&](const Key& key) { return key.name == wanted; });
  };
  std::string hint;
  if (const auto key = key_named(name); key != keys().end())
    hint = fmt::format("; it belongs to [{}]", key->section);
  else if (!section.empty()) hint = did_you_mean(name, names_in(section));
  if (hint.empty())
    if (const auto key = key_named(nearest(name, names_in({}))); key != keys().end())
      hint = fmt::format("; did you mean '{}' in [{}]?", key->name, key->section);
  if (hint.empty() && section.empty()) hint = "; keys are written with their section, as time.dt";
  const std::string place = section.empty() ? "outside a section" : fmt::format("in [{}]", section);
  throw UsageError(fmt::format("{}no key '{}' {}{}", where, shown(name), place, hint));
}

[[noreturn]] void refuse_section(std::string_view name, std::string_view where) {
  std::vector<std::string_view> names;
  for (const auto& section : sections()) names.push_back(section.name);
  const std::string hint = did_you_mean(name, names);
  throw UsageError(fmt::format("{}no section [{}]{}", where, shown(name),
                               hint.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : hint));
}

/// A key as found in the file, or (node null) a section that is none of ours.
struct Entry {
  unsigned line = 0;
  std::string_view section, name;
  const toml::node* node = nullptr;
};

/// Entries in the order of the file, so that the first mistake is the one reported.
std::vector<Entry> entries_of(const toml::table& root) {
  std::vector<Entry> entries;
  for (const auto& [name, node] : root) {
    const toml::table* table = node.as_table();
    if (table == nullptr) entries.push_back({name.source().begin.line, {}, name.str(), &node});
    else if (!is_section(name.str())) entries.push_back({name.source().begin.line, name.str(), {}, nullptr});
    else
      for (const auto& [key, value] : *table)
        entries.push_back({key.source().begin.line, name.str(), key.str(), &value});
  }
  std::ranges::stable_sort(entries, {}, &Entry::line);
  return entries;
}

using Notes = std::vector<std::string>;

void note_former_name(const Key& key, std::string_view name, std::string_view where, Notes* notes) {
  if (notes != nullptr && name != key.name)
    notes->push_back(fmt::format("{}{}.{} is now called {}.{}; the former name is still read", where,
                                 key.section, name, key.section, key.name));
}

void take(const Entry& entry, Options& options, const std::string& where, Notes* notes) {
  if (entry.node == nullptr) refuse_section(entry.section, where);
  if (entry.section.empty() && is_section(entry.name))
    throw UsageError(
        fmt::format("{}[{}] is a section; it cannot be {}", where, entry.name, in_words(*entry.node)));
  const Key* key = find(entry.section, entry.name);
  if (key == nullptr) refuse_name(entry.section, entry.name, where);
  assign(*key, *entry.node, options, where);
  note_former_name(*key, entry.name, where, notes);
}

/// Refuses a key that has both of its names in one file.
void need_one_name(const std::vector<Entry>& entries, const std::string& origin) {
  for (const auto& f : former_names()) {
    const auto line_of = [&](std::string_view name) {
      const auto at = std::ranges::find_if(
          entries, [&](const Entry& e) { return e.section == f.section && e.name == name; });
      return at == entries.end() ? 0U : at->line;
    };
    const auto former = line_of(f.former), present = line_of(f.name);
    if (former != 0 && present != 0)
      throw UsageError(fmt::format("{}:{}: {}.{} is the former name of {}.{}, which line {} sets: set one",
                                   origin, former, f.section, f.former, f.section, f.name, present));
  }
}

/// The reason without the parser's preamble; one line.
std::string reason_of(const toml::parse_error& error) {
  std::string reason(error.description());
  if (reason.starts_with("Error while ")) reason.erase(0, std::string_view("Error while ").size());
  if (reason.ends_with("could not determine value type")) reason += "; texts are written in quotes";
  if (reason.find("floating-point") != std::string::npos)
    reason += "; numbers have digits on both sides of the point, as 0.5 and 1.0";
  return reason;
}

/// Whether `value` is one text of TOML in quotes, and not a name that begins with one.
bool is_quoted(std::string_view value) {
  const bool quotes =
      value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.front() == value.back();
  if (!quotes || value.size() > largest_file) return false;
  try {
    const toml::table root = toml::parse(fmt::format("value = {}", value));
    return root.size() == 1 && root.get("value")->is_string();
  } catch (const toml::parse_error&) {
    return false;
  }
}

/// Adds the digits about the point that TOML requires to numbers such as .5 and 1.
std::string with_digits(std::string_view value) {
  std::string text;
  const auto digit = [&](std::size_t at) {
    return at < value.size() && value[at] >= '0' && value[at] <= '9';
  };
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool point = value[i] == '.', before = i > 0 && digit(i - 1), after = digit(i + 1);
    if (point && !before && after) text += '0';
    text += value[i];
    if (point && before && !after) text += '0';
  }
  return text;
}

/// The user's text after "=" as TOML: bare words are texts, bare commas separate the elements of a list.
std::string as_toml(const Key& key, std::string_view value) {
  Options defaults;
  const Slot slot = key.at(defaults);
  if (std::holds_alternative<std::string*>(slot))
    return is_quoted(value) ? std::string(value) : toml_text(value);
  const bool is_list = type_of(key).starts_with("list"), texts = type_of(key).ends_with("texts");
  const auto as_it_is = texts ? std::string(value) : with_digits(value);
  if (!is_list || value.starts_with('[')) return as_it_is;
  if (!texts) return fmt::format("[{}]", as_it_is);
  std::string list;
  for (std::size_t at = 0; at <= value.size() && !value.empty();) {
    const std::size_t comma = std::min(value.find(',', at), value.size());
    list += toml_text(value.substr(at, comma - at)) + ",";
    at = comma + 1;
  }
  return fmt::format("[{}]", list);
}

}  // namespace
}  // namespace config

Options parse_config(std::string_view text, std::string_view origin, std::vector<std::string>* notes) {
  using namespace config;
  if (text.size() > largest_file)
    throw UsageError(fmt::format("{}: it has {} bytes; a configuration has at most {}", origin, text.size(),
                                 largest_file));
  if (const int line = line_nested_deeper_than(deepest_nesting, text); line != 0)
    throw UsageError(fmt::format("{}:{}: nested more than {} deep; a configuration needs 2", origin, line,
                                 deepest_nesting));
  toml::table root;
  try {
    root = toml::parse(text, origin);
  } catch (const toml::parse_error& error) {
    throw UsageError(
        fmt::format("{}:{}: not TOML: {}", origin, error.source().begin.line, shown(reason_of(error))));
  }
  const auto entries = entries_of(root);
  if (entries.empty())
    throw UsageError(fmt::format("{}: nothing is set in it; `pleiad config` prints every key", origin));
  Options options;
  for (const auto& entry : entries) take(entry, options, fmt::format("{}:{}: ", origin, entry.line), notes);
  need_one_name(entries, std::string(origin));
  return options;
}

Options read_config(const std::filesystem::path& file, std::vector<std::string>* notes) {
  std::string text;
  try {
    text = read_file(file, config::largest_file);
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
  return parse_config(text, file.string(), notes);
}

std::string present_name(std::string_view key) {
  for (const auto& f : config::former_names())
    if (key == fmt::format("{}.{}", f.section, f.former)) return fmt::format("{}.{}", f.section, f.name);
  return std::string(key);
}

std::string literal_setting(std::string_view name, std::string_view value) {
  for (const auto& key : config::keys())
    if (fmt::format("{}.{}", key.section, key.name) == present_name(name) && config::type_of(key) == "text" &&
        is_text(value))
      return fmt::format("{}={}", name, config::toml_text(value));
  return fmt::format("{}={}", name, value);
}

void apply_setting(Options& options, std::string_view setting, std::optional<std::string_view> origin,
                   std::vector<std::string>* notes) {
  using namespace config;
  const std::string where = origin ? std::string(*origin) : fmt::format("--set {}: ", shown(setting));
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos) throw UsageError(where + "it must be section.key=value");
  const std::string_view full_name = setting.substr(0, equals), value = setting.substr(equals + 1);
  const std::size_t dot = full_name.find('.');
  if (dot == std::string_view::npos) refuse_name({}, full_name, where);
  const std::string_view section = full_name.substr(0, dot), name = full_name.substr(dot + 1);
  if (!is_section(section)) refuse_section(section, where);
  const Key* key = find(section, name);
  if (key == nullptr) refuse_name(section, name, where);

  const Reading reading{*key, where};
  if (!is_text(value))
    reading.refuse_type(fmt::format("the bytes '{}', which are not UTF-8", one_line(shown(value))));
  const std::string text = "value = " + as_toml(*key, value);
  if (text.size() > largest_file || line_nested_deeper_than(deepest_nesting, text) != 0)
    reading.refuse_type("this");
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error&) {
    reading.refuse_type(fmt::format("'{}'", shown(value)));
  }
  if (root.size() != 1) reading.refuse_type("several lines");
  Options changed = options;  // a value that is refused changes nothing
  assign(*key, *root.get("value"), changed, where);
  note_former_name(*key, name, where, notes);
  options = std::move(changed);
}

}  // namespace pleiad
