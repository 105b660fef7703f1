/// TIPSY: a 32-byte header, then records of gas, dark matter and stars, in single precision as we write them;
/// "standard" is big-endian.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/durable.hpp"
#include "io/files/bytes.hpp"
#include "io/files/parts.hpp"
#include "io/files/tipsy_param.hpp"
#include "io/files/wanted.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

/// A kind of record: mass, position and velocity come first, the potential last. `softening`: the slot of
/// eps, or of hsmooth, which is the softening of gas.
struct Kind {
  Type type;
  std::size_t floats, softening;
};
constexpr std::array kinds{Kind{Type::gas, 12, 9}, Kind{Type::halo, 9, 7}, Kind{Type::star, 11, 9}};

struct TipsyHeader {
  double time = 0;
  Order order = Order::big;
  std::array<std::size_t, 3> count{};  ///< gas, dark, star
};

/// Numbers of a record with eight bytes, as gasoline and ChaNGa write them on demand (bDoublePos,
/// bDoubleVel).
struct Precision {
  std::string_view name;
  bool positions = false, velocities = false, others = false;

  std::size_t width(std::size_t slot) const {
    const bool wide = slot >= 1 && slot < 4 ? positions : slot >= 4 && slot < 7 ? velocities : others;
    return wide ? 8 : 4;
  }
  std::size_t bytes_of(const Kind& kind) const {
    std::size_t bytes = 0;
    for (std::size_t slot = 0; slot < kind.floats; ++slot) bytes += width(slot);
    return bytes;
  }
  std::size_t bytes_of(const TipsyHeader& h) const {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) bytes += h.count[k] * bytes_of(kinds[k]);
    return bytes;
  }
};
constexpr std::array precisions{Precision{"single precision"}, Precision{"double positions", true},
                                Precision{"double positions and velocities", true, true},
                                Precision{"double precision", true, true, true}};

std::optional<TipsyHeader> header_in(std::string_view bytes, Order order) {
  TipsyHeader h{.time = number_at<double>(bytes, 0, order), .order = order};
  const auto total = number_at<std::int32_t>(bytes, 8, order),
             dimensions = number_at<std::int32_t>(bytes, 12, order);
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto n = number_at<std::int32_t>(bytes, 16 + 4 * k, order);
    if (n < 0) return std::nullopt;
    sum += n;
    h.count[k] = std::size_t(n);
  }
  if (dimensions < 1 || dimensions > 3 || total < 1 || sum != total) return std::nullopt;
  return h;
}

/// TIPSY's kind of a type: it has only gas, dark and star; any luminous type becomes a star.
std::size_t kind_of(Type type) {
  switch (type) {
    case Type::gas:
      return 0;
    case Type::halo:
    case Type::boundary:
      return 1;
    case Type::disc:
    case Type::bulge:
    case Type::star:
      return 2;
  }
  return 1;
}

/// The records after the header, and the precision that follows from their size.
struct Records {
  std::string_view bytes;
  const Precision* precision = nullptr;
};

Records records_in(std::string_view content, const TipsyHeader& header, const fs::path& file) {
  // The header is padded to 32 bytes with zeros, but not by old 32-bit programs: there the first mass
  // follows.
  for (const std::size_t start : {32, 28})
    for (const auto& precision : precisions)
      if (content.size() == start + precision.bytes_of(header) &&
          (start == 32 || number_at<float>(content, 28, header.order) != 0))
        return {content.substr(start), &precision};
  const auto bytes = [&](std::size_t k) { return 32 + precisions[k].bytes_of(header); };
  throw InputError(
      fmt::format("'{}': the TIPSY header promises {} gas, {} dark and {} star records ({} bytes in all), "
                  "but the file has {} bytes; "
                  "double precision would make {} (of positions), {} (of velocities too) or {}",
                  file.string(), header.count[0], header.count[1], header.count[2], bytes(0), content.size(),
                  bytes(1), bytes(2), bytes(3)));
}

/// All records with the softenings in their slots, and the number in the last slot of each.
void read_records(Records records, const TipsyHeader& header, Bodies& b, std::vector<float>& last) {
  const Precision& precision = *records.precision;
  b.reserve(header.count[0] + header.count[1] + header.count[2]);
  for (std::size_t k = 0; k < 3; ++k) {
    const Kind& kind = kinds[k];
    std::vector<std::size_t> place(kind.floats + 1);
    for (std::size_t slot = 0; slot < kind.floats; ++slot)
      place[slot + 1] = place[slot] + precision.width(slot);
    for (std::size_t i = 0; i < header.count[k]; ++i) {
      const auto f = [&](std::size_t slot) {
        return real_at(records.bytes.substr(place[slot]), 0, precision.width(slot), header.order);
      };
      b.add(f(0), {f(1), f(2), f(3)}, {f(4), f(5), f(6)}, kind.type);
      b.softening.push_back(f(kind.softening));
      last.push_back(float(f(kind.floats - 1)));
      records.bytes.remove_prefix(place.back());
    }
  }
}

/// Ids in the last number of a record, as some programs store them there: whole numbers, or (Bonsai) the bits
/// of whole numbers, which are tiny as floats.
std::optional<std::vector<std::uint64_t>> ids_in(const std::vector<float>& last) {
  constexpr float exact = 16777216, tiny = 1e-20f;
  const auto all = [&](auto good) { return std::all_of(last.begin(), last.end(), good); };
  const bool whole = all([](float v) { return v >= 0 && v < exact && v == std::floor(v); });
  const bool bits = all([](float v) { return v >= 0 && v < tiny && !std::signbit(v); });
  if (!whole && !bits) return std::nullopt;
  std::vector<std::uint64_t> ids;
  for (const float v : last) ids.push_back(bits ? std::bit_cast<std::uint32_t>(v) : std::uint64_t(v));
  return ids;
}

/// The last slot of a record is the potential; some programs keep ids there, most of them nothing.
void read_last_slots(const std::vector<float>& last, FileContent& out) {
  const auto all = [&](auto good) { return std::all_of(last.begin(), last.end(), good); };
  if (all([](float v) { return v < 0 && std::isfinite(v); }))
    out.snapshot.potential.assign(last.begin(), last.end());
  else if (auto ids = ids_in(last); ids && last.size() > 1 && !all([](float v) { return v == 0; })) {
    auto sorted = *ids;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) {
      out.snapshot.bodies.id = std::move(*ids);
      return out.notes.push_back(
          "the slots of the potentials hold whole numbers, all different: taken as ids");
    }
    out.notes.push_back(
        "the slots of the potentials hold whole numbers, but not all different: not taken as ids");
  } else if (!all([](float v) { return v == 0; })) {
    out.notes.push_back("the slots of the potentials hold neither potentials below 0 nor ids: skipped");
  }
  make_ids(out);
}

/// The slots of the softenings are lengths, or some programs leave them at 0.
void read_softenings(FileContent& out) {
  auto& softening = out.snapshot.bodies.softening;
  const auto all = [&](auto good) { return std::ranges::all_of(softening, good); };
  const bool none = all([](double v) { return v == 0; });
  if (!none && all([](double v) { return v >= 0 && std::isfinite(v); })) return;
  if (!none) out.notes.push_back("the slots of the softenings hold no lengths >= 0: skipped");
  softening.clear();
}

/// What a comoving snapshot needs, in the words of its programs.
constexpr std::string_view comoving_needs =
    "bComove = 1, dOmega0, dLambda, and dKpcUnit, dMsolUnit and dHubble0, or dBoxSize (in Mpc/h) and h";

[[noreturn]] void refuse_comoving(const fs::path& file, const std::string& why) {
  throw InputError(
      fmt::format("'{}': {}; a .param file beside it must state {}", file.string(), why, comoving_needs));
}

/// Units and cosmology from a .param file in the folder, as gasoline and its readers take them.
void read_param(const fs::path& file, bool units_given, FileContent& out, const Wanted& wanted) {
  auto params = params_beside(file, units_given);
  for (const auto& param : params) out.beside.push_back(param.file.string());
  if (params.size() > 1) {
    const auto stem = fs::path(file).replace_extension(".param").filename();
    std::erase_if(params, [&](const TipsyParam& p) { return p.file.filename() != stem; });
    if (params.empty())
      out.notes.push_back(
          "several .param files in the folder state units or bComove, none by the name of this file: none is "
          "used");
  }
  const bool comoving = !params.empty() && params.front().comoving;
  if (wanted.never_physical && !comoving)
    refuse_comoving(file, "a TIPSY snapshot does not say that its bodies are comoving");
  if (params.empty()) return;
  const auto& param = params.front();
  if (comoving && wanted.comoving) {
    const auto why = keep_comoving(file, param, units_given, out);
    if (why.empty()) return;
    if (wanted.never_physical) refuse_comoving(file, why);
    out.notes.push_back("made physical, because " + why);
  }
  if (comoving) make_physical(file, param, out);
  if (!param.states_units) return;
  restore_G(out.snapshot, param);
  out.units_stated = true;
  out.notes.push_back(fmt::format("units as '{}' beside it states", param.file.filename().string()));
}

/// The header at the start of these bytes, if they can be one in either byte order.
std::optional<TipsyHeader> tipsy_header(std::string_view bytes) {
  if (bytes.size() < 28) return std::nullopt;
  for (const Order order : {Order::big, Order::little})
    if (const auto header = header_in(bytes, order)) return header;
  return std::nullopt;
}

}  // namespace

bool looks_like_tipsy(std::string_view start) { return tipsy_header(start).has_value(); }

namespace {

/// A file begins with its time, whose first bytes may be a mark of GADGET's.
template <Order order>
Likeness likeness(std::string_view start) {
  const auto header = tipsy_header(start);
  return header && header->order == order ? Likeness::strong : Likeness::none;
}

FileContent read(const fs::path& file, bool units_given, const Wanted& wanted) {
  const std::string content = read_file(file);
  const auto header = tipsy_header(content);
  if (!header) throw InputError(fmt::format("'{}': not a TIPSY header", file.string()));
  if (!std::isfinite(header->time))
    throw InputError(
        fmt::format("'{}': the TIPSY header's time is {}; it must be finite", file.string(), header->time));
  FileContent out;
  out.snapshot.time = header->time;
  std::vector<float> last;
  const auto records = records_in(content, *header, file);
  if (records.precision != &precisions.front())
    out.notes.push_back(fmt::format("the records have {}", records.precision->name));
  read_records(records, *header, out.snapshot.bodies, last);
  if (header->count[0] > 0)
    out.notes.push_back("gas is read as bodies without pressure: density, temperature and metals skipped");
  read_last_slots(last, out);
  read_softenings(out);
  read_param(file, units_given, out, wanted);
  return out;
}

/// The record of body i.
template <Order order>
void make_record(const Snapshot& s, const Kind& kind, std::size_t i, char* to) {
  const Bodies& b = s.bodies;
  const auto put = [&](double value) {
    auto raw = std::bit_cast<std::array<char, sizeof(float)>>(float(value));
    if (order == Order::big) std::ranges::reverse(raw);
    to = std::ranges::copy(raw, to).out;
  };
  for (const double v : {b.mass[i], b.x[i], b.y[i], b.z[i], b.vx[i], b.vy[i], b.vz[i]}) put(v);
  for (std::size_t j = 7; j + 1 < kind.floats; ++j)
    put(j == kind.softening && !b.softening.empty() ? b.softening[i] : 0);
  put(s.potential.empty() ? 0 : s.potential[i]);
}

void need_tipsy(const Snapshot& s, const WriteOptions&, const Share& share) {
  need_single(s, share);
  if (share.bodies() > 0x7fffffff)
    throw UsageError(
        fmt::format("TIPSY counts bodies in 31 bits, and there are {}; write hdf5", share.bodies()));
}

template <Order order>
void write_records(const fs::path& file, const Snapshot& s, const Share& share,
                   const std::function<void()>& last_check) {
  need_tipsy(s, {}, share);
  const Bodies& b = s.bodies;
  std::array<std::vector<std::size_t>, kinds.size()> groups;
  for (std::size_t i = 0; i < b.size(); ++i) groups[kind_of(b.type[i])].push_back(i);
  std::array<std::uint64_t, kinds.size()> counts{};
  std::ranges::transform(groups, counts.begin(), [](const auto& group) { return group.size(); });
  share.comm().sum(counts);
  const std::size_t bodies = share.bodies();
  std::string header;
  append(header, s.time, order);
  const auto count = [&](std::size_t n) { append(header, std::int32_t(n), order); };
  count(bodies), count(3);
  for (const auto n : counts) count(n);
  count(0);
  const auto fill = [&](SharedFile& out) {
    out.append(header);
    for (std::size_t k = 0; k < kinds.size(); ++k)
      out.append(Rows{groups[k].size(), 4 * kinds[k].floats,
                      [&, k, each = 4 * kinds[k].floats](std::size_t first, std::size_t n, char* to) {
                        for (std::size_t i = first; i < first + n; ++i, to += each)
                          make_record<order>(s, kinds[k], groups[k][i], to);
                      }});
  };
  write_shared(file, share, fill, last_check);
}

/// The file with the units is put in its place when the snapshot is on the disk and has not yet its name:
/// never is there a snapshot without its units.
template <Order order>
void write(const fs::path& file, const Snapshot& s, const WriteOptions&, const Share& share) {
  const double G = s.units.physical ? s.G * s.units.G() : s.G;
  const bool beside = share.writes() && !share.writes_through(file);  // a pipe has no folder
  const fs::path place = beside && !share.how().folder ? replaceable(file) : file;
  std::optional<UnitsBeside> param;
  ranks::agree(share.comm(), [&] {
    if (beside) param.emplace(place, s.units, G, share.how().folder);
  });
  write_records<order>(file, s, share, [&] {
    if (param) param->write();
  });
  if (param) param->keep();
}

std::vector<std::string> losses(const Snapshot& s) {
  std::vector<std::string> lost;
  const Bodies& b = s.bodies;
  std::array<std::size_t, 6> count{};
  for (const Type t : b.type) ++count[std::size_t(t)];
  for (const auto& [from, to] :
       {std::pair{Type::disc, "star"}, {Type::bulge, "star"}, {Type::boundary, "dark"}})
    if (const std::size_t n = count[std::size_t(from)]; n > 0)
      lost.push_back(
          fmt::format("TIPSY has no type {}: {} bodies become {}", type_names[std::size_t(from)], n, to));
  std::vector<std::uint64_t> ids(b.size());
  std::iota(ids.begin(), ids.end(), std::uint64_t{0});
  if (b.id != ids) lost.push_back("TIPSY has no ids: bodies are numbered by their place in the file");
  if (!s.units.physical && s.G != 1)
    lost.push_back(
        fmt::format("G = {}: velocities are divided by its root, and time multiplied, so that G = 1", s.G));
  return lost;
}

template <Order order>
constexpr Format format{.name = order == Order::big ? "tipsy" : "tipsy-little",
                        .family = "TIPSY",
                        .ending = ".tipsy",
                        .kept = {.potentials = true, .G = true, .softenings = true},
                        .assumed_units = "nbody",
                        .units_beside = param_name,
                        .G_is_one = true,
                        .likeness = likeness<order>,
                        .read = read,
                        .write = write<order>,
                        .need_writable = need_tipsy,
                        .losses = losses};

}  // namespace

}  // namespace pleiad::files

namespace pleiad {

extern constinit const Format format_tipsy = files::format<files::Order::big>;
extern constinit const Format format_tipsy_little = files::format<files::Order::little>;

}  // namespace pleiad
