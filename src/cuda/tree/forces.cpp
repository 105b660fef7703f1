#include "cuda/tree/forces.hpp"

#include "cuda/tree/barnes_hut.hpp"
#include "cuda/tree/fmm.hpp"
#include "tree/settings.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <type_traits>

namespace pleiad::cuda::tree {

template <class P>
std::unique_ptr<Forces<typename P::Position>> make_forces(const TreeSettings& settings, void* stream,
                                                          FirstRoom room) {
  if constexpr (std::is_same_v<P, F64>) {
    const std::array parts{applicant(settings)};
    throw UsageError(*why_not(parts, name_of(settings), {.precision = Precision::f64, .resumes = false}),
                     Error::Code::unsupported);
  } else {
    if (settings.solver == Solver::barnes_hut) return std::make_unique<BarnesHut<P>>(settings, stream, room);
    return std::make_unique<Fmm<P>>(settings, stream, room);
  }
}
template std::unique_ptr<Forces<float>> make_forces<F32>(const TreeSettings&, void*, FirstRoom);
template std::unique_ptr<Forces<double>> make_forces<F64>(const TreeSettings&, void*, FirstRoom);
template std::unique_ptr<Forces<double>> make_forces<Mixed>(const TreeSettings&, void*, FirstRoom);

}  // namespace pleiad::cuda::tree
