#include "cuda/tree/fmm.hpp"

#include "cuda/tree/interactions.hpp"
#include "cuda/tree/octree.hpp"

namespace pleiad::cuda::tree {
namespace {

/// State known to the host: the cells are queued, or the lists, or all.
enum class Stage { cells, lists, done };

}  // namespace

template <class P>
struct Fmm<P>::Memory {
  Memory(const TreeSettings& settings, const OrderKernels& order, FirstRoom room, void* stream)
      : tree(settings, order.up, room, stream), interactions(settings, order, room, stream) {}

  Octree<Real> tree;
  Interactions<P> interactions;
  Stage stage = Stage::done;
  bool in_pages = false;
};

template <class P>
Fmm<P>::Fmm(const TreeSettings& settings, void* stream, FirstRoom room)
    : memory_(std::make_unique<Memory>(settings, fmm_kernels_for(settings), room, stream)) {}
template <class P>
Fmm<P>::~Fmm() = default;

template <class P>
void Fmm<P>::begin(const Request<Real>& request) {
  auto& m = *memory_;
  // Parts of one evaluation read each other's memory.
  m.in_pages = request.parts == 1 && m.tree.memory_is_scarce(request.bodies.size());
  const InPages scarce(m.in_pages);
  m.stage = Stage::done;
  if (m.tree.begin(request)) m.stage = Stage::cells;
}

template <class P>
bool Fmm<P>::go_on() {
  auto& m = *memory_;
  const InPages scarce(m.in_pages);
  switch (m.stage) {
    case Stage::cells:
      if (!m.tree.know_cells()) return true;
      if (!m.tree.finite()) {
        m.stage = Stage::done;
        m.tree.set_nothing();
        return false;
      }
      m.tree.find_moments();
      m.interactions.begin(m.tree);
      m.stage = Stage::lists;
      return true;
    case Stage::lists:
      if (!m.interactions.know_lists(m.tree)) return true;
      if (m.interactions.add(m.tree)) return true;
      break;
    case Stage::done:
      break;
  }
  m.stage = Stage::done;
  return false;
}

template <class P>
void Fmm<P>::measure_phases() {
  memory_->tree.measure_phases();
}
template <class P>
PhaseSeconds Fmm<P>::phases() {
  return memory_->tree.phases();
}

template <class P>
TreeWork Fmm<P>::work() {
  auto& m = *memory_;
  auto& t = m.tree;
  TreeWork work{.bodies = t.n, .cells = t.count, .depth = std::size_t(t.deepest_level), .bytes = bytes()};
  if (t.count == 0 || !t.finite()) return work;
  m.interactions.count(t, work);
  if (t.timed) {
    const auto s = phases();
    work.build = s[0] + s[1] + s[2] + s[3], work.moments = s[4] + s[5],
    work.forces = s[6] + s[7] + s[8] + s[9];
  }
  return work;
}

template <class P>
std::size_t Fmm<P>::bytes() const {
  return memory_->tree.bytes() + memory_->interactions.bytes();
}

template class Fmm<F32>;
template class Fmm<Mixed>;

}  // namespace pleiad::cuda::tree
