#include "ranks/self.hpp"

#include <algorithm>

namespace pleiad::ranks {
namespace {

class Self final : public Communicator {
 public:
  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  void barrier() override {}
  std::vector<std::size_t> all_to_all(std::span<const std::byte> data, std::span<const std::size_t> begins,
                                      const Room& room) override {
    return all_gather(data.subspan(begins[0], begins[1] - begins[0]), room);
  }
  std::vector<std::size_t> all_gather(std::span<const std::byte> mine, const Room& room) override {
    std::ranges::copy(mine, room(mine.size()));
    return {0, mine.size()};
  }
  std::function<void()> begin_broadcast(std::span<std::byte>, int) override {
    return [] {};
  }
  void sum(std::span<std::uint64_t>) override {}
  void max(std::span<double>) override {}
};

}  // namespace

Communicator& self() {
  static Self only;
  return only;
}

}  // namespace pleiad::ranks
