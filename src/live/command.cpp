#include "live/command.hpp"

#include "core/json_whole.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace pleiad::live {
namespace {

using Json = nlohmann::json;

/// The members of an object. A value that is not as it must be spoils the whole text.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json) {}

  bool has(const char* name) const { return json_.contains(name) && !json_[name].is_null(); }
  double number(const char* name, double low, double high) {
    return has(name) ? number(json_[name], low, high) : fail(low);
  }
  template <class Count>
  Count count(const char* name, Count most = std::numeric_limits<Count>::max()) {
    const auto value = has(name) ? whole_number_in<Count>(json_[name]) : std::nullopt;
    return value && *value <= most ? *value : fail(Count{});
  }
  std::string word(const char* name) {
    return has(name) && json_[name].is_string() ? json_[name].get<std::string>() : fail(std::string());
  }
  bool flag(const char* name) {
    return has(name) && json_[name].is_boolean() ? json_[name].get<bool>() : fail(false);
  }
  Vec3<double> vector(const char* name) {
    if (!has(name) || !json_[name].is_array() || json_[name].size() != 3) return fail(Vec3<double>{});
    const auto& v = json_[name];
    return {number(v[0], -1e30, 1e30), number(v[1], -1e30, 1e30), number(v[2], -1e30, 1e30)};
  }
  std::uint32_t pixels(std::size_t which) {
    if (!has("pixels") || !json_["pixels"].is_array() || json_["pixels"].size() != 2) return fail(0U);
    return static_cast<std::uint32_t>(number(json_["pixels"][which], 1, 16384));
  }
  template <class T>
  T fail(T value) {
    sound_ = false;
    return value;
  }
  bool sound() const { return sound_; }

 private:
  double number(const Json& value, double low, double high) {
    if (!value.is_number()) return fail(low);
    const double number = value.get<double>();
    return number >= low && number <= high ? number : fail(low);
  }

  const Json& json_;
  bool sound_ = true;
};

Budget budget(Fields& f) {
  Budget budget;
  if (f.has("bytes_per_second")) budget.bytes_per_second = f.number("bytes_per_second", 1e3, 1e11);
  if (f.has("frames_per_second")) budget.frames_per_second = f.number("frames_per_second", 0.1, 1000);
  return budget;
}

ColourBy colour(Fields& f) {
  const auto by = f.word("by");
  if (by == "type") return {Colour::type};
  if (by == "speed") return {Colour::speed};
  if (by == "density") return {Colour::density};
  return f.fail(ColourBy{});
}

Camera camera(Fields& f) {
  Camera c{.centre = f.vector("centre"),
           .focus = f.vector(f.has("focus") ? "focus" : "centre"),
           .right = f.vector("right"),
           .up = f.vector("up"),
           .width = f.number("width", 1e-30, 1e30),
           .across = f.pixels(0),
           .down = f.pixels(1),
           .number = f.has("number") ? f.count<std::uint32_t>("number") : 0};
  const auto is_unit = [](Vec3<double> v) { return std::abs(norm(v) - 1) < 1e-3; };
  if (!is_unit(c.right) || !is_unit(c.up) || std::abs(dot(c.right, c.up)) > 1e-3) f.fail(0);
  return c;
}

Control control(Fields& f) {
  const auto what = f.word("do");
  if (what == "pause") return Control::pause;
  if (what == "resume") return Control::resume;
  if (what == "step") return Control::step;
  if (what == "stop") return Control::stop;
  return f.fail(Control::pause);
}

Command command(const std::string& type, Fields& f) {
  using Number = std::uint32_t;
  if (type == "budget") return budget(f);
  if (type == "seen") return Seen{f.count<Number>("sequence")};
  if (type == "key") return NeedKey{};
  if (type == "colour") return colour(f);
  if (type == "camera") return camera(f);
  if (type == "pick")
    return Pick{f.count<Number>("request"), f.count<Number>("sequence"), f.count<Number>("index")};
  if (type == "follow")
    return Follow{f.has("request") ? std::optional(f.count<Number>("request")) : std::nullopt};
  if (type == "binaries") return Binaries{f.flag("on")};
  if (type == "control") return control(f);
  if (type == "show") return Show{f.count<std::size_t>("index", 1'000'000'000)};
  if (type == "play") return Play{f.flag("on"), f.has("rate") ? f.number("rate", 0.01, 1000) : 1};
  return f.fail(NeedKey{});
}

}  // namespace

std::optional<Command> command_of(std::string_view text) {
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Fields fields(json);
  auto found = command(fields.word("type"), fields);
  return fields.sound() ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace pleiad::live
