#include "io/files/gadget_order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace pleiad::files::gadget {
namespace {

/// Bytes per number of a block of `numbers` numbers; 0: its size does not match.
std::size_t number_width(const Block& block, std::uint64_t numbers) {
  for (const std::size_t width : {4, 8})
    if (numbers > 0 && block.content.size() == width * numbers) return width;
  return 0;
}

/// Properties of a block read as ids: whether all differ, and their spread.
struct Ids {
  bool differ = false;
  double spread = 0;
};
Ids as_ids(const GadgetFile& f, const Block& block) {
  const std::size_t width = number_width(block, f.bodies);
  std::vector<std::uint64_t> ids(f.bodies);
  for (std::size_t i = 0; i < ids.size(); ++i)
    ids[i] = width == 4 ? number_at<std::uint32_t>(block.content, 4 * i, f.order)
                        : number_at<std::uint64_t>(block.content, 8 * i, f.order);
  std::ranges::sort(ids);
  return {std::ranges::adjacent_find(ids) == ids.end(), double(ids.back() - ids.front())};
}

/// Whether `other` is more like ids than `block`: those of most programs all differ, and lie close.
bool better_ids(const GadgetFile& f, const Block& other, const Block& block) {
  const Ids a = as_ids(f, other), b = as_ids(f, block);
  return a.differ != b.differ ? a.differ : a.spread < b.spread;
}

/// A number that proves that a block has no masses: bits of a whole number are below all ordinary floats.
double bits_among(const GadgetFile& f, const Block& block, std::uint64_t numbers) {
  const std::size_t width = number_width(block, numbers);
  for (std::size_t i = 0; width > 0 && i < numbers; ++i)
    if (const double m = std::abs(real_at(block.content, i, width, f.order));
        m > 0 && m < (width == 4 ? least_mass : least_mass_of_doubles))
      return m;
  return 0;
}

}  // namespace

/// Whole numbers below 2e8 are tiny as floats, and those below 4e18 are as doubles.
bool may_be_masses(const GadgetFile& f, const Block& block, std::uint64_t numbers) {
  const std::size_t width = number_width(block, numbers);
  bool any = false;
  for (std::size_t i = 0; width > 0 && i < numbers; ++i) {
    const double m = real_at(block.content, i, width, f.order);
    if (!(m == 0 || (m > 1e-30 && std::isfinite(m)))) return false;
    any |= m > 0;
  }
  return any;
}

std::string settle_order(GadgetFile& f, std::uint64_t masses) {
  if (f.labelled || masses == 0 || f.blocks.size() < 4) return "";
  Block& third = f.blocks[3];
  Block* fourth = f.blocks.size() > 4 ? &f.blocks[4] : nullptr;
  const bool usual =
      fourth != nullptr && number_width(third, f.bodies) > 0 && may_be_masses(f, *fourth, masses);
  bool turned = may_be_masses(f, third, masses);
  std::string note =
      turned && usual ? "the blocks do not tell for certain which of them holds ids and which masses: " : "";
  if (turned && usual) turned = number_width(*fourth, f.bodies) > 0 && better_ids(f, *fourth, third);
  if (turned) {
    third.label = "MASS";
    const bool ids = fourth != nullptr && number_width(*fourth, f.bodies) > 0;
    if (fourth != nullptr) fourth->label = ids ? "ID  " : "block 4";
    return ids ? note + "masses are taken to stand before ids" : "";
  }
  if (fourth != nullptr)
    if (const double bits = bits_among(f, *fourth, masses); bits > 0)
      f.refuse(fmt::format(
          "block 'MASS', the fifth, holds masses such as {:.3g}, which are the bits of whole numbers: "
          "the blocks do not stand in GADGET's order (HEAD, POS, VEL, ID, MASS); the blocks are {}; "
          "write them with labels, or HDF5",
          bits, f.list()));
  return note.empty() ? "" : note + "taken in GADGET's order, ids before masses";
}

}  // namespace pleiad::files::gadget
