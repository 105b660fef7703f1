#define PLEIAD_TREE_OPERATORS "operators_2.inc"
#include "cuda/tree/walk-inl.h"

namespace pleiad::cuda::tree {
extern const WalkKernels walk_1;
const WalkKernels walk_1 = kernels_of_walk<1>;
}  // namespace pleiad::cuda::tree
