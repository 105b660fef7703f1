#define PLEIAD_TREE_OPERATORS "operators_4.inc"
#include "cuda/tree/order-inl.h"

namespace pleiad::cuda::tree {
extern const OrderKernels order_4;
const OrderKernels order_4 = kernels_of_order<4>;
}  // namespace pleiad::cuda::tree
