/// The steps by which several GPUs with a part of the bodies each make one tree: requests are packed here,
/// sent by other code, and unpacked after a GPU's own cells. Plain C++; all pointers and spans are in device
/// memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/build.hpp"
#include "tree/dense_regions.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pleiad::cuda::tree {

struct SortedKeys {
  const std::uint64_t* keys;
  std::uint32_t n;
};

// Dense regions (src/tree/dense_regions.hpp) whose surroundings are on other GPUs.

/// Every `stride`-th key, from `begin` on.
void take_key_samples(const std::uint64_t* keys, std::uint32_t begin, std::uint32_t stride,
                      std::span<std::uint64_t> samples, void* stream);
/// Octants that other GPUs have: as many as there is room for; `count` counts all.
struct DenseElsewhere {
  pleiad::tree::NearDense* octants = nullptr;
  std::uint32_t* count = nullptr;
  std::uint32_t room = 0;
};
/// As the other mark_near_dense, from keys one dense region apart along the whole curve. `before`: the
/// octants of the first key belong to another GPU.
void mark_near_dense(std::span<const std::uint64_t> samples, bool before, const SortedKeys& keys,
                     const KeyRange& own, std::uint32_t* levels, const DenseElsewhere& elsewhere,
                     void* stream);
/// Raises levels as other GPUs have found for this one.
void raise_levels(std::span<const pleiad::tree::NearDense> octants, const SortedKeys& keys,
                  std::uint32_t* levels, void* stream);

// Cells on their way. A row is a head, the place, strength and box, the record and the moments.

using pleiad::tree::CellHead;
struct RowLayout {
  int record = 0, moments = 0;  ///< floats of a cell
  std::uint32_t front = 0;      ///< the number of the first of the own bodies
  /// Number of words of 4 bytes; even.
  PLEIAD_HD constexpr std::size_t words() const {
    const std::size_t all = (sizeof(CellHead) + sizeof(Place) + sizeof(Strength) + sizeof(Box)) / 4 +
                            std::size_t(record + moments);
    return all + all % 2;
  }
};
/// The rows of these cells. `level_begins`: where the cells of each level begin, deepest + 2 numbers.
void pack_cells(const Cells& cells, std::span<const std::uint32_t> which, const std::uint32_t* level_begins,
                const std::uint64_t* keys, const RowLayout& layout, std::uint32_t* rows, void* stream);
/// Rows into the cells `to[k]`, or from `first` on where `to` is null; their heads, where `heads` is not
/// null. The children and the bodies of the cells are not there.
void unpack_cells(const std::uint32_t* rows, std::size_t count, const std::uint32_t* to, std::uint32_t first,
                  const RowLayout& layout, const Cells& cells, CellHead* heads, void* stream);

/// The own cells that all GPUs receive: those that are entirely on this GPU below one that is shared or has
/// more than `coarse` bodies; and separately all shared ones. `count[0]`, `count[1]`: the numbers of both;
/// the arrays have as many as fit.
struct Branches {
  std::uint32_t *branches, *shared, *count;
  std::uint32_t room;
};
void find_branches(const Cells& cells, std::uint32_t count, const std::uint32_t* level_begins,
                   const SortedKeys& keys, std::uint32_t front, const KeyRange& own, std::uint32_t coarse,
                   const Branches& to, void* stream);
/// A cell is given the place and the strength of another one.
struct CellCopy {
  std::uint32_t from, to;
};
void copy_cells(const Cells& cells, std::span<const CellCopy> copies, void* stream);
/// The bodies and children of a cell.
struct CellValue {
  std::uint32_t at, unused[3];
  Cell cell;
};
void write_cells(const Cells& cells, std::span<const CellValue> values, void* stream);
/// values[k]: the acceleration of cell which[k]; and back.
void read_accelerations(const Cells& cells, std::span<const std::uint32_t> which, float* values,
                        void* stream);
void write_accelerations(const Cells& cells, std::span<const std::uint32_t> which, const float* values,
                         void* stream);

/// Cells of others, from `first` on, that some own cells open: flags[k] is 1 for these. More may be flagged
/// than are opened; none that is opened is missing.
struct Look {
  std::uint32_t first = 0, count = 0;
  const CellHead* heads = {};              ///< of the cells
  const std::uint32_t* level_begins = {};  ///< of own cells
};
void look_into(const Cells& cells, const Look& look, const Acceptance& by, std::uint8_t* flags, void* stream);

/// Pieces of sorted bodies: `count` from `from` on, to `to` on.
struct Piece {
  std::uint32_t from, to, count;
};
template <class T>
void copy_pieces(const Mass<T>* from, std::span<const Piece> pieces, Mass<T>* to, void* stream);
/// Adds `by` to the numbers that the first `count` cells have of their bodies.
void shift_bodies(const Cells& cells, std::uint32_t count, std::uint32_t by, void* stream);

}  // namespace pleiad::cuda::tree
