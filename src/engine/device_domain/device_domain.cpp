#include "engine/device_domain/device_domain.hpp"

#include "cuda/tree/interactions.hpp"
#include "domain/domain.hpp"
#include "engine/device_domain/device_cells.hpp"
#include "engine/device_domain/device_particles.hpp"

#include <cmath>

namespace pleiad {
namespace {

/// Probable number of bodies of others that are needed before and after the own ones, proportional to those
/// near a surface: measured, 6 n^(2/3) on two ranks. A later growth needs the memory of all of them twice.
std::size_t first_guess(std::size_t own) { return 64 + std::size_t(8 * std::pow(double(own), 2.0 / 3)); }

template <class P>
class DeviceDomain final : public ForceSolver<P>, private device_domain::DeviceCells<typename P::Position> {
 public:
  using Real = typename P::Position;
  DeviceDomain(const TreeSettings& settings, const ranks::Collective& all, RanksExchange<Real>& exchange,
               void* stream)
      : DeviceDomain(settings, cuda::tree::fmm_kernels_for(settings), {}, all.comm(), exchange, stream) {}

  void evaluate(const PairProblem<P>& problem) override {
    const auto targets = problem.targets;
    const cuda::InPages scarce(tree_.memory_is_scarce(targets.size()));
    // The first rank has no bodies before its own ones, and the last none behind.
    const bool first = comm_.rank() == 0, last = comm_.rank() + 1 == comm_.ranks();
    if (room_behind_ == 0) {
      const auto room = first_guess(targets.size());
      room_in_front_ = first ? 0 : std::uint32_t(room), room_behind_ = last ? 64 : room;
    }
    particles_.take(targets, problem.sums, problem.softening, problem.potential);
    particles_.make_room(room_in_front_, room_behind_);
    if (!domain_.evaluate(settings_, std::uint64_t(settings_.leaf_size), true)) {
      // As on one GPU.
      cuda::tree::set_nothing<Real>({{problem.sums.data()}}, 0, std::uint32_t(targets.size()), stream_);
      return;
    }
    // A little more room, since the next evaluation takes a little more or less.
    room_in_front_ = in_front_ + in_front_ / 16 + 64, room_behind_ = behind_ + behind_ / 16 + 64;
  }

  std::size_t bytes() const override { return particles_.bytes() + cell_bytes() + interactions_.bytes(); }
  TreeWork work() override {
    TreeWork work{
        .bodies = tree_.n, .cells = tree_.count, .depth = std::size_t(tree_.deepest_level), .bytes = bytes()};
    if (tree_.count > 0 && tree_.finite()) interactions_.count(tree_, work);
    return work;
  }

 private:
  using Base = device_domain::DeviceCells<Real>;
  using Base::comm_, Base::tree_, Base::stream_, Base::in_front_, Base::behind_, Base::cell_bytes;

  DeviceDomain(const TreeSettings& settings, const cuda::tree::OrderKernels& order,
               const cuda::tree::FirstRoom& room, ranks::Communicator& comm, RanksExchange<Real>& exchange,
               void* stream)
      : Base(settings, order.up, room, comm, exchange, stream),
        settings_(settings),
        interactions_(settings, order, room, stream),
        particles_(comm, exchange, tree_, stream),
        domain_(comm, particles_, *this) {
    // Requests and answers are exchanged many times in an evaluation.
    constexpr std::size_t messages = std::size_t{512} << 20;
    cuda::keep_released(messages);
  }

  void find_forces() override {
    if (tree_.n == 0) return;
    Base::show_whole_tree(true);
    interactions_.begin(tree_);
    do
      while (!interactions_.know_lists(tree_)) {
      }
    while (interactions_.add(tree_));
  }
  void return_forces(const domain::SendLists& lists) override {
    particles_.return_forces(domain_.part(), lists);
  }

  TreeSettings settings_;
  cuda::tree::Interactions<P> interactions_;
  device_domain::DeviceParticles<Real> particles_;
  domain::Domain domain_;
  std::uint32_t room_in_front_ = 0;  ///< for bodies of others
  std::size_t room_behind_ = 0;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_device_domain(const TreeSettings& settings, const ranks::Collective& all,
                                                   RanksExchange<typename P::Position>& exchange,
                                                   void* stream) {
  return std::make_unique<DeviceDomain<P>>(settings, all, exchange, stream);
}
template std::unique_ptr<ForceSolver<F32>> make_device_domain(const TreeSettings&, const ranks::Collective&,
                                                              RanksExchange<float>&, void*);
template std::unique_ptr<ForceSolver<Mixed>> make_device_domain(const TreeSettings&, const ranks::Collective&,
                                                                RanksExchange<double>&, void*);

}  // namespace pleiad
