#include "ranks/gather.hpp"

#include "ranks/agree.hpp"

namespace pleiad::ranks {

Bodies gather_bodies(Communicator& comm, const Bodies& own) {
  Bodies all;
  const auto gather = [&](auto Bodies::*field) {
    using Field = std::remove_reference_t<decltype(all.*field)>;
    all.*field = gather_to_root<typename Field::value_type>(comm, own.*field).data;
  };
  for (auto field :
       {&Bodies::mass, &Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz})
    gather(field);
  gather(&Bodies::softening), gather(&Bodies::id), gather(&Bodies::type);
  return all;
}

Bodies bodies_of_all(Communicator& comm, const Bodies& own) {
  if (comm.ranks() == 1) return own;
  Bodies all;
  const auto gather = [&](auto Bodies::*field) {
    using Field = std::remove_reference_t<decltype(all.*field)>;
    all.*field = all_gather<typename Field::value_type>(comm, std::span(own.*field)).data;
  };
  for (auto field :
       {&Bodies::mass, &Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz})
    gather(field);
  gather(&Bodies::id), gather(&Bodies::type), gather(&Bodies::low);
  if (all.low.size() != all.size()) all.low.clear();
  return all;
}

}  // namespace pleiad::ranks
