/// Pictures of the bodies, all of one width and one exposure. The view stays at one place, or goes with
/// bodies that an external potential, or a velocity of all of them, moves as a whole.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/splat.hpp"
#include "ranks/agree.hpp"
#include "render/image_planes.hpp"
#include "run/analysis.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

std::array<int, 2> axes_of(const std::string& projection) {
  if (projection == "xy") return {0, 1};
  if (projection == "xz") return {0, 2};
  if (projection == "yz") return {1, 2};
  throw UsageError("output.projection = '" + projection + "': it is one of xy, xz, yz");
}

/// Whether the bodies may leave the place where they were at the start.
bool travels(const Options& o, const Boundary& space) {
  return !space.periodic && !(o.gravity.potentials.empty() && o.ic.velocity.empty());
}

/// The view and the exposure of the last picture that was drawn, which checkpoints keep.
struct Look {
  View view;
  Exposure exposure;

  /// For a checkpoint, and back.
  std::string text() const;
  void restore(const std::string& text);
};

/// The view of the options, without a centre. UsageError for an unknown projection.
View view_of(const Options& o) {
  return {.axes = axes_of(o.output.projection),
          .half_width = o.output.picture_extent,
          .size = o.output.picture_size,
          .comoving = o.cosmology.active()};
}

std::string Look::text() const {
  std::string text;
  for (const double v : {view.centre.x, view.centre.y, view.centre.z, view.half_width})
    text += fmt::format("{:a} ", v);
  for (const double v : exposure.low) text += fmt::format("{:a} ", v);
  for (const double v : exposure.high) text += fmt::format("{:a} ", v);
  return text + (exposure.set ? "1" : "0");
}

void Look::restore(const std::string& text) {
  std::istringstream in(text);
  const auto number = [&in] {
    std::string word;
    in >> word;
    return std::strtod(word.c_str(), nullptr);
  };
  for (double* v : {&view.centre.x, &view.centre.y, &view.centre.z, &view.half_width}) *v = number();
  for (auto& v : exposure.low) v = number();
  for (auto& v : exposure.high) v = number();
  exposure.set = number() != 0;
}

constexpr const char* trails_section = "trails";

using TrailPlace = Vec3<double>;

struct TrailHead {
  std::uint64_t id, places;
};

/// Whether the trails have a point at this step: not where a batch of steps happens to end, which depends on
/// the speed of the machine. `due`: outputs are due then.
bool on_trails(const Options& o, std::uint64_t step, bool due) {
  const bool followed = !o.output.trajectory_ids.empty() && step % o.output.trajectory_every == 0;
  return due || followed || step % o.limits.check_every == 0;
}

std::string bytes_of(const Trails& trails) {
  std::string bytes;
  for (const auto& [id, path] : trails.paths) {
    const TrailHead head{id, path.size()};
    bytes.append(reinterpret_cast<const char*>(&head), sizeof head);
    bytes.append(reinterpret_cast<const char*>(path.data()), path.size() * sizeof(TrailPlace));
  }
  return bytes;
}

/// Checkpoints of earlier programs hold none. InputError when they are not whole.
void restore_trails(const Checkpoint& c, Trails& trails) {
  const auto found = c.extra.find(trails_section);
  if (found == c.extra.end()) return;
  std::string_view left = found->second;
  const auto take = [&](void* to, std::size_t bytes) {
    if (bytes > left.size()) throw InputError("the checkpoint's trails are not whole");
    if (bytes > 0) std::memcpy(to, left.data(), bytes);
    left.remove_prefix(bytes);
  };
  while (!left.empty()) {
    TrailHead head{};
    take(&head, sizeof head);
    if (head.places > left.size() / sizeof(TrailPlace))
      throw InputError("the checkpoint's trails are not whole");
    auto& path = trails.paths[head.id];
    path.resize(head.places);
    take(path.data(), path.size() * sizeof(TrailPlace));
  }
}

class Pictures : public Output {
 public:
  explicit Pictures(AnalysedRun& run)
      : Output(run), look_{.view = view_of(run.options), .exposure = {}}, view_(look_.view) {
    const auto& first = run.simulation.snapshot();
    frame_ = {.time = first.time, .units = first.units, .boundary = first.boundary};
  }
  void open(const Checkpoint*, std::vector<std::string>&) override {
    if (run_.options.output.pictures) run_.directory->make_folder("pictures");
  }
  void restore(const Checkpoint& c) override {
    if (run_.leads()) restore_trails(c, trails_);
    const auto text = c.extra.find("picture");
    if (text == c.extra.end()) return;
    look_.restore(text->second);
    view_ = look_.view;
    settled_ = view_.half_width > 0;
  }
  /// Remembers where few bodies are.
  void stepped(bool due) override {
    if (on_trails(run_.options, run_.simulation.step(), due) && run_.leads() &&
        run_.options.output.pictures && run_.division.bodies <= Trails::most_bodies)
      trails_.add(run_.simulation.snapshot().bodies);
  }
  void bodies_changed() override { luminosities_.reset(); }
  Task begin() override;
  void save(Checkpoint& c) const override {
    if (auto trails = ranks::all_texts(run_.ranks, bytes_of(trails_)).front(); !trails.empty())
      c.extra[trails_section] = std::move(trails);
  }
  /// Rank 0 alone has exposed pictures.
  void save_after_work(Checkpoint& c) const override {
    c.extra["picture"] = ranks::all_texts(run_.ranks, look_.text()).front();
  }
  Files files() const override { return {{"first_picture", first_}, {"last_picture", last_}}; }

 private:
  void aim();
  std::function<splat::ImagePlanes()> begin_image_planes();

  Look look_;                                        ///< of the thread that draws
  View view_;                                        ///< of the next picture
  bool settled_ = false;                             ///< it has a centre and a width
  std::optional<splat::Luminosities> luminosities_;  ///< of the bodies, where the engine lays their light
  Frame frame_;                                      ///< of all pictures, but for the time
  Trails trails_;                                    ///< of rank 0, which has all of few bodies
  std::string first_, last_;
};

/// Fits the view to the bodies of the first picture. Later ones have its width, and its centre unless the
/// bodies travel.
void Pictures::aim() {
  const auto& now = run_.simulation.snapshot();
  if (settled_ && !travels(run_.options, now.boundary)) return;
  const View fitted = fit_view(now, view_.axes, view_.size, run_.ranks);
  if (settled_) return follow(view_, fitted.centre);
  settled_ = true;
  if (view_.half_width == 0) view_ = fitted, view_.comoving = run_.options.cosmology.active();
  else view_.centre = fitted.centre;
}

Output::Task Pictures::begin() {
  const double time = run_.simulation.time();
  std::filesystem::path file;
  AtomicWrite place;
  ranks::agree(run_.ranks, [&] {
    if (!run_.leads()) return;
    file = run_.directory->numbered("pictures/frame_", 5, ".png", time);
    place = run_.directory->how(file);
  });
  aim();
  const auto layers = begin_image_planes();
  auto draw = [this, time, layers, view = view_, trails = trails_](const Snapshot& s) mutable {
    look_.view = view;
    if (!layers) return render(s, look_.view, look_.exposure, &trails, run_.ranks);
    auto frame = frame_;
    frame.time = time;
    return render(layers(), frame, look_.view, look_.exposure);
  };
  return {.copy = layers ? Task::Copy::none : Task::Copy::read,
          .work = [this, file, place, draw](Snapshot& s) mutable {
            const auto image = draw(s);
            ranks::agree(run_.ranks, [&] {
              if (run_.leads()) write_png(file, image, place);
            });
            if (first_.empty()) first_ = file.string();
            last_ = file.string();
          }};
}

/// Empty where the host draws the picture from a copy of the bodies, as it does for several ranks.
std::function<splat::ImagePlanes()> Pictures::begin_image_planes() {
  auto& s = run_.simulation;
  if (run_.ranks.ranks() > 1 || s.describe().gpus == 0 || !drawn_of_layers(s.size(), view_)) return {};
  if (!luminosities_) luminosities_ = splat::luminosities_of(s.snapshot().bodies);
  return s.begin_image_planes(image_planes_for(view_, frame_.boundary, *luminosities_, s.types()));
}

constexpr std::array<std::string_view, 5> pictures_keys{"output.picture_interval", "output.pictures",
                                                        "output.projection", "output.picture_size",
                                                        "output.picture_extent"};
constexpr std::array<std::string_view, 1> pictures_files{"pictures/frame_*"};

}  // namespace

extern const Analysis analysis_pictures{.name = "pictures",
                                        .keys = pictures_keys,
                                        .files = pictures_files,
                                        .seconds = &OutputTimes::pictures,
                                        .times =
                                            [](const Options& o) {
                                              return Times{.on = o.output.pictures && !o.ensemble.active(),
                                                           .key = pictures_keys[0],
                                                           .interval = o.output.picture_interval};
                                            },
                                        .make = make_output<Pictures>};

}  // namespace pleiad::run
