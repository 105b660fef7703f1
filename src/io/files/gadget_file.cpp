#include "io/files/gadget_file.hpp"

#include "io/durable/durable.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::files::gadget {
namespace {

/// The next record's content; the two marks around it must agree and lie inside the file.
std::string_view next_record(const GadgetFile& f, std::size_t& offset) {
  const std::size_t left = f.bytes.size() - offset;
  if (left < 8)
    f.refuse(
        fmt::format("{} stray bytes after the last whole block, at byte {}; the file is cut off or damaged",
                    left, offset));
  const std::size_t length = number_at<std::uint32_t>(f.bytes, offset, f.order);
  if (length > left - 8)
    f.refuse(fmt::format(
        "the block at byte {} says {} bytes, but only {} are left; the file is cut off or damaged", offset,
        length, left - 8));
  const std::size_t end = number_at<std::uint32_t>(f.bytes, offset + 4 + length, f.order);
  if (end != length)
    f.refuse(fmt::format("the block at byte {} begins with length {} and ends with {}", offset, length, end));
  const auto content = std::string_view(f.bytes).substr(offset + 4, length);
  offset += 8 + length;
  return content;
}

void find_order(GadgetFile& f) {
  if (f.bytes.size() < 4) f.refuse("too short for a GADGET file");
  const auto mark = [&](Order order) { return number_at<std::uint32_t>(f.bytes, 0, order); };
  const auto known = [](std::uint32_t m) { return m == 8 || is_header(m); };
  f.order = known(mark(Order::little)) ? Order::little : Order::big;
  if (!known(mark(f.order)))
    f.refuse(
        fmt::format("begins with the mark {}; a GADGET file begins with 256 or 8, one of GADGET-4's own with "
                    "176 for six types",
                    mark(Order::little)));
  f.labelled = mark(f.order) == 8;
}

void find_blocks(GadgetFile& f) {
  for (std::size_t offset = 0; offset < f.bytes.size();) {
    Block block;
    if (f.labelled) {
      const auto label = next_record(f, offset);
      if (label.size() != 8)
        f.refuse(fmt::format("a label of {} bytes before byte {}; labels have 8", label.size(), offset));
      block.label = meant(label.substr(0, 4));
    } else {
      block.label = f.blocks.size() < labels.size() ? std::string(labels[f.blocks.size()])
                                                    : "block " + std::to_string(f.blocks.size());
    }
    if (offset == f.bytes.size()) f.refuse(fmt::format("ends after the label '{}'", block.label));
    block.content = next_record(f, offset);
    f.blocks.push_back(std::move(block));
  }
}

void check_blocks(const GadgetFile& f) {
  if (f.blocks.front().label != "HEAD")
    f.refuse(fmt::format("begins with block '{}' instead of HEAD", f.blocks.front().label));
  if (const std::size_t size = f.blocks.front().content.size(); !is_header(size))
    f.refuse(fmt::format("a header of {} bytes; it must have 256, or, as GADGET-4's own, 176 for six types",
                         size));
  for (const auto label : labels)
    if (std::ranges::count(f.blocks, label, &Block::label) > 1)
      f.refuse(fmt::format("block '{}' is there more than once; the blocks are {}", label, f.list()));
}

/// Reads the fields of the header, with their names and conditions.
class Fields {
 public:
  explicit Fields(const GadgetFile& f) : f_(f), content_(f.blocks.front().content) {}

  template <class T>
  T at(std::size_t offset) const {
    return number_at<T>(content_, offset, f_.order);
  }
  /// A number from `least` to `most`; NaN is neither.
  double real(std::string_view name, std::size_t offset, double least, double most,
              std::string_view right) const {
    const auto value = at<double>(offset);
    if (!(value >= least && value <= most))
      f_.refuse(fmt::format("the header's {} is {}; it must be {}", name, value, right));
    return value;
  }

 private:
  const GadgetFile& f_;
  std::string_view content_;
};

constexpr double largest = 1.7976931348623157e308;

void read_mass_table(GadgetFile& f, const Fields& fields, std::size_t offset, std::size_t types) {
  for (std::size_t t = 0; t < types; ++t)
    f.mass[t] = fields.real(fmt::format("mass of type {}", t), offset + 8 * t, 0, largest, "finite and >= 0");
}

/// Reads the four fields that both kinds of header have, at these offsets.
void read_common(GadgetFile& f, const Fields& fields, std::size_t time, std::size_t redshift, std::size_t box,
                 std::size_t files) {
  f.time = fields.real("time", time, -largest, largest, "finite");
  f.redshift = fields.real("redshift", redshift, std::nextafter(-1.0, 0.0), largest, "finite and > -1");
  f.box = fields.real("BoxSize", box, 0, largest, "finite and >= 0");
  f.files = fields.at<std::int32_t>(files);
  if (f.files < 0) f.refuse(fmt::format("the header's number of files is {}; it must be >= 0", f.files));
}

void read_header(GadgetFile& f) {
  const Fields fields(f);
  for (std::size_t t = 0; t < 6; ++t) {
    f.count[t] = fields.at<std::uint32_t>(at_count + 4 * t);
    f.total[t] = fields.at<std::uint32_t>(at_total + 4 * t) +
                 (std::uint64_t{fields.at<std::uint32_t>(at_total_high + 4 * t)} << 32);
  }
  read_mass_table(f, fields, at_mass, 6);
  read_common(f, fields, at_time, at_redshift, at_box, at_files);
  f.omega0 = fields.real("Omega0", at_omega0, 0, 100, "from 0 to 100");
  // Comoving bodies alone need it, and programs leave anything there: see universe_of.
  f.omega_lambda = fields.at<double>(at_omega_lambda);
  constexpr auto right = "0 where it has no meaning, else from 0.01 to 10: H0 in units of 100 km/s/Mpc";
  f.hubble = fields.real("HubbleParam", at_hubble, 0, 10, right);
  if (f.hubble > 0) fields.real("HubbleParam", at_hubble, 0.01, 10, right);
  f.units = f.blocks.front().content.substr(at_units, units_bytes);
}

/// Counts and totals in 64 bits and masses for each type; time, redshift, BoxSize; the number of files.
void read_header_of_gadget4(GadgetFile& f) {
  const Fields fields(f);
  const std::size_t types = (f.blocks.front().content.size() - 32) / 24,
                    known = std::min<std::size_t>(types, 6);
  constexpr std::int64_t most = std::int64_t{1} << 48;
  const auto number = [&](std::string_view what, std::size_t place, std::size_t t) {
    const auto n = fields.at<std::int64_t>(8 * (place * types + t));
    if (!(n >= 0 && n <= most && (n == 0 || t < 6)))
      f.refuse(fmt::format("the header's {} of type {} is {}; it must be >= 0, and 0 for types beyond 5",
                           what, t, n));
    return std::uint64_t(n);
  };
  for (std::size_t t = 0; t < types; ++t) {
    const auto count = number("count", 0, t), total = number("total", 1, t);
    if (t < 6) f.count[t] = count, f.total[t] = total;
  }
  read_mass_table(f, fields, 16 * types, known);
  const std::size_t rest = 24 * types;
  read_common(f, fields, rest, rest + 8, rest + 16, rest + 24);
  f.says_cosmology = false;
}

}  // namespace

void GadgetFile::refuse(const std::string& why) const {
  throw InputError(fmt::format("'{}': {}", name, why));
}

const Block* GadgetFile::find(std::string_view label) const {
  const auto it = std::ranges::find(blocks, label, &Block::label);
  return it == blocks.end() ? nullptr : &*it;
}

std::string GadgetFile::list() const {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t k = 0; k < std::min(blocks.size(), most); ++k)
    text += fmt::format("{}'{}' ({} bytes)", k == 0 ? "" : ", ", blocks[k].label, blocks[k].content.size());
  return blocks.size() > most ? text + fmt::format(" and {} more", blocks.size() - most) : text;
}

GadgetFile load(const fs::path& file) {
  GadgetFile f{.name = file.string(), .bytes = read_file(file)};
  find_order(f);
  find_blocks(f);
  check_blocks(f);
  if (f.blocks.front().content.size() == header_bytes) read_header(f);
  else read_header_of_gadget4(f);
  for (const auto n : f.count) f.bodies += n;
  return f;
}

GadgetFile head_of(const GadgetFile& whole) {
  GadgetFile head = {.name = whole.name, .bytes = std::string(whole.units), .order = whole.order};
  head.total = whole.total, head.mass = whole.mass;
  head.time = whole.time, head.redshift = whole.redshift, head.box = whole.box;
  head.omega0 = whole.omega0, head.omega_lambda = whole.omega_lambda, head.hubble = whole.hubble,
  head.files = whole.files;
  head.units = head.bytes;
  return head;
}

}  // namespace pleiad::files::gadget
