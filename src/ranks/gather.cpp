#include "ranks/gather.hpp"

#include "ranks/agree.hpp"

namespace pleiad::ranks {

Bodies gather_bodies(Transport& transport, const Bodies& own) {
  Bodies all;
  const auto gather = [&](auto Bodies::*field) {
    using Field = std::remove_reference_t<decltype(all.*field)>;
    all.*field = to_first<typename Field::value_type>(transport, own.*field).data;
  };
  for (auto field :
       {&Bodies::mass, &Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz})
    gather(field);
  gather(&Bodies::id), gather(&Bodies::type);
  return all;
}

}  // namespace pleiad::ranks
