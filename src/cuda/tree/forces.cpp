#include "cuda/tree/forces.hpp"

#include "tree/settings.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <utility>

namespace pleiad::cuda::tree {

template <class Real>
Forces<Real>::Forces(const TreeSettings& settings, void* stream, FirstRoom room)
    : method_(method_of(settings, stream, room)),
      tree_(settings, std::visit([](const auto& m) -> const MomentKernels& { return m.kernels(); }, method_),
            room, stream) {}

template <class Real>
typename Forces<Real>::Method Forces<Real>::method_of(const TreeSettings& settings, void* stream,
                                                      FirstRoom room) {
  if (settings.solver == Solver::barnes_hut)
    return Method(std::in_place_type<GroupWalks<Real>>, settings, walk_kernels_for(settings), stream);
  return Method(std::in_place_type<Interactions<P>>, settings, fmm_kernels_for(settings), room, stream);
}

template <class Real>
void Forces<Real>::evaluate(const PairProblem<P>& problem) {
  begin({.bodies = problem.sources,
         .sums = {{problem.sums.data()}},
         .softening = problem.softening,
         .potential = problem.potential,
         .boundary = problem.boundary});
  while (go_on()) {
  }
}

template <class Real>
void Forces<Real>::begin(const Request<Real>& request) {
  // Parts of one evaluation read each other's memory.
  in_pages_ = interactions() && request.parts == 1 && tree_.memory_is_scarce(request.bodies.size());
  const InPages scarce(in_pages_);
  stage_ = Stage::done;
  if (!tree_.begin(request)) return;
  stage_ = Stage::cells;
  if (auto* const m = walks()) m->find_groups(tree_);
}

template <class Real>
bool Forces<Real>::go_on() {
  const InPages scarce(in_pages_);
  auto* const lists = interactions();
  switch (stage_) {
    case Stage::cells:
      if (!tree_.know_cells()) return true;
      if (tree_.finite()) {
        tree_.find_moments();
        if (lists) lists->begin(tree_);
      }
      stage_ = Stage::moments;
      return true;
    case Stage::moments:
      if (!tree_.finite()) tree_.set_nothing();
      else if (!lists) walks()->add(tree_);
      else if (!lists->know_lists(tree_) || lists->add(tree_)) return true;
      if (tree_.finite()) tree_.add_further_images();
      break;
    case Stage::done:
      break;
  }
  stage_ = Stage::done;
  return false;
}

template <class Real>
std::size_t Forces<Real>::bytes() const {
  const auto* const lists = std::get_if<Interactions<P>>(&method_);
  return tree_.bytes() + (lists ? lists->bytes() : 0);
}

template <class Real>
TreeWork Forces<Real>::work() {
  auto& t = tree_;
  TreeWork work{.bodies = t.n, .cells = t.count, .depth = std::size_t(t.deepest_level), .bytes = bytes()};
  if (t.count == 0 || !t.finite()) return work;
  std::visit([&](auto& m) { m.count(t, work); }, method_);
  if (t.timed) {
    const auto s = phases();
    work.build = s[0] + s[1] + s[2] + s[3], work.moments = s[4] + s[5],
    work.forces = s[6] + s[7] + s[8] + s[9];
  }
  return work;
}

template class Forces<float>;
template class Forces<double>;

template <class P>
std::unique_ptr<Forces<typename P::Position>> make_forces(const TreeSettings& settings, void* stream,
                                                          FirstRoom room) {
  if constexpr (std::is_same_v<P, F64>) {
    const std::array parts{applicant(settings)};
    throw UsageError(*why_not(parts, name_of(settings), {.precision = Precision::f64, .resumes = false}),
                     Error::Code::unsupported);
  } else {
    return std::make_unique<Forces<typename P::Position>>(settings, stream, room);
  }
}
template std::unique_ptr<Forces<float>> make_forces<F32>(const TreeSettings&, void*, FirstRoom);
template std::unique_ptr<Forces<double>> make_forces<F64>(const TreeSettings&, void*, FirstRoom);
template std::unique_ptr<Forces<double>> make_forces<Mixed>(const TreeSettings&, void*, FirstRoom);

}  // namespace pleiad::cuda::tree
