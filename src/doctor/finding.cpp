#include "doctor/finding.hpp"

#include "core/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::doctor {
namespace {

std::string_view name_of(Mark mark) {
  return mark == Mark::ok ? "ok" : mark == Mark::note ? "note" : "broken";
}

/// Green, yellow, red.
std::string marked(Mark mark, bool colour) {
  const auto text = fmt::format("{:<6}", name_of(mark));
  if (!colour) return text;
  return fmt::format("\033[{}m{}\033[0m", mark == Mark::ok ? 32 : mark == Mark::note ? 33 : 31, text);
}

auto count(const Findings& findings, Mark mark) {
  return std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.mark == mark; });
}

}  // namespace

bool any_broken(const Findings& findings) { return count(findings, Mark::broken) > 0; }

std::string as_text(const Findings& findings, bool colour) {
  std::size_t width = 0;
  for (const auto& f : findings) width = std::max(width, f.subject.size());
  std::string text, group;
  for (const auto& f : findings) {
    if (f.group != group) text += f.group + "\n";
    group = f.group;
    text += fmt::format("  {}  {:<{}}  {}\n", marked(f.mark, colour), f.subject, width, f.text);
  }
  const auto broken = count(findings, Mark::broken), notes = count(findings, Mark::note);
  const auto counted = [](std::size_t n, std::string_view what) {
    return n == 0 ? fmt::format("no {}s", what) : fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  return text + fmt::format("{}, {}\n", counted(broken, "error"), counted(notes, "note"));
}

std::string as_json(const Findings& findings) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& f : findings) {
    nlohmann::ordered_json one{
        {"mark", name_of(f.mark)}, {"group", f.group}, {"subject", f.subject}, {"text", f.text}};
    for (const auto& [name, value] : f.numbers) one[name] = value;
    all.push_back(one);
  }
  return json_text(nlohmann::ordered_json{{"healthy", !any_broken(findings)}, {"findings", all}}) + "\n";
}

}  // namespace pleiad::doctor
