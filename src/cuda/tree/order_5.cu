#define PLEIAD_TREE_OPERATORS "operators_5.inc"
#include "cuda/tree/order-inl.h"

namespace pleiad::cuda::tree {
extern const OrderKernels order_5;
const OrderKernels order_5 = kernels_of_order<5>;
}  // namespace pleiad::cuda::tree
