/// The order of kicks, drifts and evaluations in a step of block time steps (see block_kdk.cpp), as a loop
/// with a stack of its own, so that a kernel can follow it, too.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

namespace pleiad {

/// A part of the step dt, from 0 to 1. Both ends are multiples of a power of two.
struct StepPart {
  double begin = 0, end = 1;
  PLEIAD_HD double middle() const { return begin + (end - begin) / 2; }
  PLEIAD_HD double length() const { return end - begin; }
};

/// Which bodies of a set need a shorter step than it has: some make up the next set, or most do, and all go.
enum class Finer : unsigned char { none, some, all };

/// A step of a set, whose length is that of `level`.
struct BlockStep {
  StepPart part{};
  /// Kicks of the set around, of half its step, at the beginning and at the end of this step; 0 where that is
  /// no end of its step.
  double outer_first = 0, outer_last = 0;
  int set = 0, level = 0;
};

/// Makes a step with all finer ones. `levels`: their number, at most 31.
/// Sets: `alone(step)` makes a whole step by itself, or returns false; `need_accelerations(set, at)`
/// evaluates them unless they are those of the present positions; `find_finer(step)` divides a set;
/// `kick_over(part)` is the length of a kick, with G; `kick(set, length)`; `drift(set, part, coarse)` moves
/// all members of a set, or those that are in no finer one; `moved(set)` and `forget_from(set)`:
/// accelerations are no longer those of the present positions, for one set and for all from this one on.
// With nvcc the functions of `sets` may be those of a kernel alone.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <class Sets>
PLEIAD_HD void make_block_step(Sets& sets, const BlockStep& whole, int levels) {
  enum Stage : unsigned char { begins, second_of_all, second, after_finer, ends, made };
  struct Frame {
    BlockStep step;
    double half = 0;  ///< length of the kick at the end
    Stage stage = begins;
  };
  constexpr int most_levels = 32;
  Frame stack[most_levels];
  int top = 0;
  stack[0].step = whole;
  const auto push = [&](const BlockStep& step) {
    ++top;
    stack[top].step = step, stack[top].stage = begins;
  };
  while (top >= 0) {
    Frame& f = stack[top];
    const BlockStep s = f.step;
    const StepPart one{s.part.begin, s.part.middle()}, two{s.part.middle(), s.part.end};
    if (f.stage == begins && sets.alone(s)) {
      --top;
      continue;
    }
    if (f.stage == begins || f.stage == ends)
      sets.need_accelerations(s.set, f.stage == begins ? s.part.begin : s.part.end);
    switch (f.stage) {
      case begins: {
        const Finer finer = s.level + 1 < levels ? sets.find_finer(s) : Finer::none;
        if (finer == Finer::all) {
          f.stage = second_of_all;
          push({one, s.outer_first, 0, s.set, s.level + 1});
          break;
        }
        const double first = sets.kick_over(one);
        f.half = sets.kick_over(two);
        sets.kick(s.set, first - s.outer_first);
        if (finer == Finer::some) {
          f.stage = second;
          push({one, first, 0, s.set + 1, s.level + 1});
        } else {
          sets.drift(s.set, s.part, false);
          sets.forget_from(s.set);
          f.stage = ends;
        }
        break;
      }
      case second_of_all:
        f.stage = made;
        push({two, 0, s.outer_last, s.set, s.level + 1});
        break;
      case second:
        f.stage = after_finer;
        push({two, 0, f.half, s.set + 1, s.level + 1});
        break;
      case after_finer:
        sets.drift(s.set, s.part, true);
        sets.moved(s.set);
        f.stage = ends;
        break;
      case ends:
        sets.kick(s.set, f.half - s.outer_last);
        --top;
        break;
      case made:
        --top;
        break;
    }
  }
}

}  // namespace pleiad
