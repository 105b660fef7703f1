#define PLEIAD_TREE_OPERATORS "operators_4.inc"
#include "cuda/tree/m2p.hpp"

namespace pleiad::cuda::tree {

/// The generated polynomials, in units of the cell.
template <>
struct Shown<3> {
  static constexpr int order = 4, fours = 7, size = 32;
  static constexpr std::uint32_t few = 5;
  static constexpr int numbers = indices::softened_m2p_numbers(order);  ///< mass, unit, polynomials
  static constexpr int newtonian_numbers = indices::m2p_numbers(order);
  static_assert(3 + numbers <= 4 * fours);

  /// The moments in a record, as the operator reads them.
  struct Numbers {
    const float* record;
    __device__ __forceinline__ float operator[](int k) const { return record[3 + k]; }
  };
  __device__ __forceinline__ static void fill(const Place& place, const float* M, float* record) {
    Shown<1>::fill(place, M, record);
    float newtonian[newtonian_numbers], softened[numbers];
    tree::m2p_record(Order<order>{}, M, place.unit, newtonian, softened);
#pragma unroll
    for (int k = 1; k < numbers; ++k) record[7 + k] = softened[k];
#pragma unroll
    for (int k = 7 + numbers; k < size; ++k) record[k] = 0;
  }
  template <bool potential>
  __device__ __forceinline__ static void m2p(const float* c, float x, float y, float z, float eps2, float& ax,
                                             float& ay, float& az, float& phi) {
    m2p_soft<potential>(Order<order>{}, Numbers{c}, x, y, z, eps2, ax, ay, az, phi);
  }
};

}  // namespace pleiad::cuda::tree

#include "cuda/tree/walk-inl.h"

namespace pleiad::cuda::tree {
extern const WalkKernels walk_3;
const WalkKernels walk_3 = kernels_of_walk<3>;
}  // namespace pleiad::cuda::tree
