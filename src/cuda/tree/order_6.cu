#define PLEIAD_TREE_OPERATORS "operators_6.inc"
#include "cuda/tree/order-inl.h"

namespace pleiad::cuda::tree {
extern const OrderKernels order_6;
const OrderKernels order_6 = kernels_of_order<6>;
}  // namespace pleiad::cuda::tree
