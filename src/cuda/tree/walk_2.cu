#define PLEIAD_TREE_OPERATORS "operators_3.inc"
#include "cuda/tree/walk-inl.h"

namespace pleiad::cuda::tree {
extern const WalkKernels walk_2;
const WalkKernels walk_2 = kernels_of_walk<2>;
}  // namespace pleiad::cuda::tree
