#include "live/recorded.hpp"

#include "io/durable/durable.hpp"
#include "live/recording.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace pleiad::live {
namespace {

using Json = nlohmann::json;

double number(const Json& json, const char* name) {
  return json.contains(name) && json[name].is_number() ? json[name].get<double>() : 0;
}
std::string text(const Json& json, const char* name) {
  return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
}

void take_hello(const Json& hello, Setting& setting) {
  setting.title = text(hello, "title");
  setting.softening = number(hello, "softening");
  setting.follow = hello.contains("follow") && hello["follow"] == true;
  if (hello.contains("units") && hello["units"].is_object())
    setting.units.name = text(hello["units"], "name");
  if (!hello.contains("box") || !hello["box"].is_object()) return;
  const auto& sizes = hello["box"].contains("sizes") ? hello["box"]["sizes"] : Json();
  if (!sizes.is_array() || sizes.size() != 3) return;
  for (const auto& size : sizes)
    if (!size.is_number() || !(size.get<double>() > 0)) return;
  setting.boundary = {.periodic = true,
                      .length = {sizes[0].get<double>(), sizes[1].get<double>(), sizes[2].get<double>()}};
}

Diagnostics row_of(const Json& json) {
  Diagnostics row;
  row.time = number(json, "time");
  const double step = number(json, "step");
  row.step = step >= 0 && step < 1e18 ? static_cast<std::uint64_t>(step) : 0;
  row.energies = {number(json, "kinetic"), number(json, "potential")};
  row.energy_error = number(json, "energy_error");
  row.virial_ratio = number(json, "virial_ratio");
  if (json.contains("radii") && json["radii"].is_object())
    for (std::size_t k = 0; k < lagrangian_fractions.size(); ++k)
      row.lagrangian_radii[k] =
          number(json["radii"], fmt::format("{:.0f}", 100 * lagrangian_fractions[k]).c_str());
  return row;
}

/// The frames of a recording that follow from those before them.
class Reel {
 public:
  explicit Reel(std::string bytes) : bytes_(std::move(bytes)) {}

  void index(Timeline& timeline) {
    RecordReader reader(bytes_);
    std::optional<std::uint32_t> last;
    while (const auto entry = reader.next()) {
      if (!entry->frame) {
        take_text(entry->bytes, timeline);
        continue;
      }
      const auto header = header_of(entry->bytes);
      if (!header || header->kind == FrameKind::picture) continue;
      const bool key = header->kind == FrameKind::key;
      if (!key && last != header->base) continue;
      last = header->sequence;
      frames_.push_back({entry->bytes, key ? frames_.size() : frames_.back().key});
      timeline.setting.list.push_back({header->time, fmt::format("frame {}", frames_.size())});
      timeline.setting.bodies = std::max<std::size_t>(timeline.setting.bodies, header->points);
    }
  }

  Snapshot snapshot(std::size_t k) {
    const bool next = at_ && (*at_ == k || (*at_ + 1 == k && frames_.at(k).key != k));
    if (!next) {
      at_.reset();
      show(frames_.at(k).key);
    }
    while (*at_ < k) show(*at_ + 1);
    return snapshot_of(shown_, before_.positions.empty() ? nullptr : &before_);
  }

 private:
  struct Frame {
    std::string_view bytes;
    std::size_t key = 0;  ///< the key frame that it follows from
  };

  static void take_text(std::string_view bytes, Timeline& timeline) {
    const auto json = Json::parse(bytes, nullptr, false);
    if (!json.is_object()) return;
    const auto type = text(json, "type");
    if (type == "hello") take_hello(json, timeline.setting);
    if (type == "row") timeline.rows.push_back(row_of(json));
  }
  void show(std::size_t k) {
    before_ = shown_;
    if (!add_frame(frames_[k].bytes, shown_))
      throw InputError(fmt::format("frame {} of the recording is damaged", k + 1), Error::Code::damaged_file);
    at_ = k;
  }

  std::string bytes_;
  std::vector<Frame> frames_;
  std::optional<std::size_t> at_;
  Shown shown_, before_;
};

}  // namespace

bool add_frame(std::string_view frame, Shown& shown) {
  const auto header = header_of(frame);
  if (!header || header->kind == FrameKind::picture) return false;
  const char* in = frame.data() + FrameHeader::bytes;
  const std::size_t numbers = std::size_t{3} * header->points;
  if (header->kind == FrameKind::key) {
    shown.positions.resize(numbers);
    std::memcpy(shown.positions.data(), in, 2 * numbers);
    in += 2 * numbers;
    shown.types.assign(header->points, 1);
  } else {
    if (shown.header.sequence != header->base || shown.positions.size() != numbers) return false;
    for (std::size_t k = 0; k < numbers; ++k)
      shown.positions[k] = static_cast<std::uint16_t>(shown.positions[k] + static_cast<signed char>(in[k]));
    in += numbers;
  }
  if ((header->flags & FrameHeader::has_colours) != 0) in += header->points;
  if ((header->flags & FrameHeader::has_types) != 0) std::memcpy(shown.types.data(), in, header->points);
  shown.header = *header;
  return true;
}

Snapshot snapshot_of(const Shown& shown, const Shown* before) {
  const auto& box = shown.header.box;
  const auto place = [&](std::uint16_t q, std::size_t axis) {
    return box.corner[axis] + double{box.size[axis]} * q / 65535;
  };
  const bool same = before != nullptr && before->positions.size() == shown.positions.size() &&
                    before->header.box == box && shown.header.kind == FrameKind::delta &&
                    shown.header.time != before->header.time;
  const double dt = same ? shown.header.time - before->header.time : 1;
  Snapshot s;
  s.time = shown.header.time, s.step = shown.header.step;
  const std::size_t n = shown.positions.size() / 3;
  s.bodies.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto* q = &shown.positions[3 * i];
    const auto* p = same ? &before->positions[3 * i] : q;
    const auto speed = [&](std::size_t axis) {
      return box.size[axis] * (double{1} * q[axis] - p[axis]) / 65535 / dt;
    };
    s.bodies.add(1.0 / static_cast<double>(n), {place(q[0], 0), place(q[1], 1), place(q[2], 2)},
                 {speed(0), speed(1), speed(2)},
                 static_cast<Type>(std::min<std::uint8_t>(shown.types[i], 5)));
  }
  return s;
}

Timeline recorded_film(const std::filesystem::path& file) {
  Timeline timeline;
  const auto reel = std::make_shared<Reel>(read_file(file));
  reel->index(timeline);
  if (timeline.setting.list.empty())
    throw InputError(fmt::format("'{}' is a recording without frames", file.string()));
  timeline.setting.files = true;
  timeline.read = [reel, setting = timeline.setting](std::size_t k) {
    auto snapshot = reel->snapshot(k);
    snapshot.boundary = setting.boundary, snapshot.units = setting.units;
    return snapshot;
  };
  return timeline;
}

}  // namespace pleiad::live
