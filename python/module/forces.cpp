/// Accelerations of bodies in arrays of any library with DLPack, in their own memory: nothing is copied here,
/// and unsuitable arrays are refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/arrays.hpp"
#include "module/bodies.hpp"
#include "module/device.hpp"

#include <pleiad/error.hpp>
#include <pleiad/forces.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::python {
namespace {

using Given = nb::ndarray<nb::ro>;
using Filled = nb::ndarray<>;

/// Memory of an array: that of the host or of a GPU.
struct Place {
  bool gpu = false;
  int id = 0;
  bool operator==(const Place&) const = default;
};
std::string words_of(const Place& place) {
  return place.gpu ? fmt::format("on GPU {}", place.id) : "on the host";
}

template <class Array>
Place place_of(const Array& array, std::string_view name) {
  switch (array.device_type()) {
    case nb::device::cpu::value:
    case nb::device::cuda_host::value:
      return {};
    case nb::device::cuda::value:
    case nb::device::cuda_managed::value:
      return {true, array.device_id()};
    default:
      throw UsageError(fmt::format("{} must be in the memory of the host or of an NVIDIA GPU", name));
  }
}

template <class Array>
Array imported(nb::handle given, std::string_view name) {
  Array array;
  if (nb::try_cast(given, array, false)) return array;
  throw UsageError(
      fmt::format("{} must be {}array", name, std::is_same_v<Array, Filled> ? "a writable " : "an "));
}

/// Arrays of one call: all of T, in one place.
template <class T>
class Call {
 public:
  /// `first`: the array of `given`, imported already.
  Call(Place place, nb::handle given, Given first) : place_(place), first_(given) {
    given_.push_back(std::move(first));
  }

  /// Rows of three with any strides.
  template <class U>
  Vectors<U> vectors(nb::handle given, std::string_view name) {
    auto& array = keep<U>(given, name);
    need_form(name, array.dtype(), nb::dtype<T>(), array.ndim(), array.shape_ptr(), 3, {});
    const std::size_t n = array.shape(0);
    U* const first = data<U>(array);
    const auto row = n > 1 ? array.stride(0) : 1, column = array.stride(1);
    if (row < 0 || column < 0) throw UsageError(fmt::format("{} has a negative stride: copy it", name));
    return {first, first + column, first + 2 * column, n, std::size_t(row)};
  }
  /// One after the other.
  template <class U>
  std::span<U> numbers(nb::handle given, std::string_view name, std::size_t n) {
    if (given.is_none()) return {};
    auto& array = keep<U>(given, name);
    need_form(name, array.dtype(), nb::dtype<T>(), array.ndim(), array.shape_ptr(), 0, n);
    if (n > 1 && array.stride(0) != 1) throw UsageError(fmt::format("{} is not contiguous: copy it", name));
    return {data<U>(array), n};
  }
  /// Rows of four, aligned as the library's.
  template <class U, class Record>
  std::span<Record> records(nb::handle given, std::string_view name, std::optional<std::size_t> n = {}) {
    auto& array = keep<U>(given, name);
    need_form(name, array.dtype(), nb::dtype<T>(), array.ndim(), array.shape_ptr(), 4, n);
    U* const first = data<U>(array);
    if (array.shape(0) > 0 && (array.stride(1) != 1 || (array.shape(0) > 1 && array.stride(0) != 4)))
      throw UsageError(fmt::format("{} is not contiguous: copy it", name));
    if (array.shape(0) > 0 && reinterpret_cast<std::uintptr_t>(first) % alignof(Record) != 0)
      throw UsageError(fmt::format("{} is not aligned at {} bytes", name, alignof(Record)));
    return {reinterpret_cast<Record*>(first), array.shape(0)};
  }

 private:
  template <class U>
  auto& keep(nb::handle given, std::string_view name) {
    using Array = std::conditional_t<std::is_const_v<U>, Given, Filled>;
    if constexpr (std::is_const_v<U>)
      if (given.is(first_)) return given_.front();
    auto array = imported<Array>(given, name);
    if (const auto place = place_of(array, name); !(place == place_))
      throw UsageError(fmt::format("{} is {}, the positions are {}: bring all to one place", name,
                                   words_of(place), words_of(place_)));
    if constexpr (std::is_const_v<U>) return given_.emplace_back(std::move(array));
    else return filled_.emplace_back(std::move(array));
  }
  template <class U, class Array>
  static U* data(const Array& array) {
    return reinterpret_cast<U*>(static_cast<char*>(array.data_handle()) + array.byte_offset());
  }

  Place place_;
  nb::handle first_;
  std::vector<Given> given_{};
  std::vector<Filled> filled_{};
};

void* stream_of(std::uintptr_t stream) { return reinterpret_cast<void*>(stream); }

class Solver {
 public:
  explicit Solver(const ForceOptions& options) : solver_(options) {}

  void accelerations(nb::handle positions, nb::handle masses, nb::handle result, nb::handle potentials,
                     nb::handle targets, std::uintptr_t stream) {
    in_type(positions, "positions", [&]<class T>(T, const Place& place, Given first) {
      Call<T> call(place, positions, std::move(first));
      const auto x = call.template vectors<const T>(positions, "positions");
      const auto m = call.template numbers<const T>(masses, "masses", x.size());
      const auto at = targets.is_none() ? x : call.template vectors<const T>(targets, "targets");
      const auto a = call.template vectors<T>(result, "the result");
      if (a.size() != at.size())
        throw UsageError(fmt::format("the result has {} rows for {} places", a.size(), at.size()));
      const auto phi = call.template numbers<T>(potentials, "potentials", at.size());
      if (place.gpu) {
        OnDevice<T> there{.positions = x,
                          .masses = m.data(),
                          .accelerations = a,
                          .potentials = phi.empty() ? nullptr : phi.data(),
                          .stream = stream_of(stream)};
        if (!targets.is_none()) there.targets = at;
        work_on(place, [&] { solver_.accelerations(there); });
      } else if (targets.is_none()) {
        work([&] { solver_.accelerations(x, m, a, phi); });
      } else {
        work([&] { solver_.accelerations_at(at, x, m, a, phi); });
      }
    });
  }

  void records(nb::handle bodies, nb::handle result, std::uintptr_t stream) {
    in_type(bodies, "records", [&]<class T>(T, const Place& place, Given first) {
      Call<T> call(place, bodies, std::move(first));
      const auto b = call.template records<const T, const Mass<T>>(bodies, "records");
      const auto a = call.template records<T, Vec4<T>>(result, "the result", b.size());
      if (place.gpu)
        work_on(place, [&] { solver_.accelerations(RecordsOnDevice<T>{b, a, stream_of(stream)}); });
      else work([&] { solver_.accelerations(b, a); });
    });
  }

  /// Records on a GPU, and results in arrays of their own.
  void records_apart(nb::handle bodies, nb::handle result, nb::handle potentials, std::uintptr_t stream) {
    in_type(bodies, "records", [&]<class T>(T, const Place& place, Given first) {
      if (!place.gpu) throw UsageError("records with results apart must be in the memory of a GPU");
      Call<T> call(place, bodies, std::move(first));
      const auto b = call.template records<const T, const Mass<T>>(bodies, "records");
      const auto a = call.template vectors<T>(result, "the result");
      if (a.size() != b.size())
        throw UsageError(fmt::format("the result has {} rows for {} records", a.size(), b.size()));
      const auto phi = call.template numbers<T>(potentials, "potentials", b.size());
      if (b.empty()) return;
      const auto* x = b.data();
      const OnDevice<T> there{.positions = {&x->x, &x->y, &x->z, b.size(), 4},
                              .masses = &x->m,
                              .mass_stride = 4,
                              .accelerations = a,
                              .potentials = phi.empty() ? nullptr : phi.data(),
                              .stream = stream_of(stream)};
      work_on(place, [&] { solver_.accelerations(there); });
    });
  }

  const std::string& kernel() const { return solver_.kernel(); }
  const std::string& why() const { return solver_.why(); }
  void plan_again() { solver_.plan_again(); }

 private:
  /// work(T{}, place, array) in the type of the array's numbers.
  template <class Work>
  static void in_type(nb::handle given, std::string_view name, const Work& work) {
    auto array = imported<Given>(given, name);
    const auto place = place_of(array, name);
    if (array.dtype() == nb::dtype<float>()) work(float{}, place, std::move(array));
    else if (array.dtype() == nb::dtype<double>()) work(double{}, place, std::move(array));
    else
      throw UsageError(
          fmt::format("{} must be of type float32 or float64, not {}", name, python::name_of(array.dtype())));
  }
  template <class Work>
  void work(const Work& work) {
    alone(busy_, "Solver", work);
  }
  template <class Work>
  void work_on(const Place& place, const Work& forces) {
    work([&] { on_gpu(place.id, forces); });
  }

  GravitySolver solver_;
  bool busy_ = false;  ///< see alone()
};

template <class Value, std::size_t n>
Value named(const std::array<std::string_view, n>& names, const std::string& name, const char* what) {
  const auto known = std::ranges::find(names, name);
  if (known == names.end())
    throw UsageError(fmt::format("{} must be one of {}, not '{}'", what, fmt::join(names, ", "), name));
  return static_cast<Value>(known - names.begin());
}

Solver make(double softening, double G, double accuracy, bool potential,
            const std::optional<std::string>& precision, nb::handle box, const std::string& kernel,
            int threads, const std::string& cache, const std::string& softening_kernel,
            const std::string& softening_rule, std::vector<double> softenings) {
  ForceOptions options{
      .softening = softening,
      .softening_kernel =
          named<SofteningKernel>(softening_kernel_names, softening_kernel, "softening_kernel"),
      .softening_rule = named<SofteningRule>(softening_rule_names, softening_rule, "softening_rule"),
      .softenings = std::move(softenings),
      .G = G,
      .accuracy = accuracy,
      .potential = potential,
      .precision = {},
      .box = boundary_of(box, Images::all),
      .kernel = kernel,
      .context = {.threads = threads, .cache = cache}};
  if (precision) options.precision = precision_named(*precision);
  return Solver(options);
}

/// Memory on a GPU for a library that has none to be written to.
Any device_array(const std::vector<std::size_t>& shape, const std::string& type, int gpu) {
  const auto dtype = type == "float32" ? nb::dtype<float>() : nb::dtype<double>();
  std::size_t bytes = dtype.bits / 8;
  for (const auto side : shape) bytes *= side;
  void* const memory = device_memory(gpu, bytes == 0 ? 1 : bytes);
  const nb::capsule owner(memory, [](void* p) noexcept { free_device_memory(p); });
  return nb::borrow<Any>(nb::cast(nb::ndarray<nb::array_api>(memory, shape.size(), shape.data(), owner,
                                                             nullptr, dtype, nb::device::cuda::value, gpu)));
}

}  // namespace

void add_forces(nb::module_& module) {
  nb::class_<Solver>(module, "Solver", "Accelerations into arrays that are given; pleiad.Solver makes them.")
      .def(
          "__init__",
          [](Solver* self, double softening, double G, double accuracy, bool potential,
             const std::optional<std::string>& precision, nb::handle box, const std::string& kernel,
             int threads, const std::string& cache, const std::string& softening_kernel,
             const std::string& softening_rule, std::vector<double> softenings) {
            new (self) Solver(make(softening, G, accuracy, potential, precision, box, kernel, threads, cache,
                                   softening_kernel, softening_rule, std::move(softenings)));
          },
          nb::arg("softening") = 0.0, nb::arg("G") = 1.0, nb::arg("accuracy") = 0.0,
          nb::arg("potential") = false, nb::arg("precision") = nb::none(), nb::arg("box").none() = nb::none(),
          nb::arg("kernel") = "auto", nb::arg("threads") = 0, nb::arg("cache") = "",
          nb::arg("softening_kernel") = "plummer", nb::arg("softening_rule") = "max",
          nb::arg("softenings") = std::vector<double>())
      .def("accelerations", &Solver::accelerations, nb::arg("positions"), nb::arg("masses"),
           nb::arg("result"), nb::arg("potentials").none() = nb::none(),
           nb::arg("targets").none() = nb::none(), nb::arg("stream") = 0)
      .def("records", &Solver::records, nb::arg("bodies"), nb::arg("result"), nb::arg("stream") = 0)
      .def("records_apart", &Solver::records_apart, nb::arg("bodies"), nb::arg("result"),
           nb::arg("potentials").none() = nb::none(), nb::arg("stream") = 0)
      .def_prop_ro("kernel", &Solver::kernel)
      .def_prop_ro("why", &Solver::why)
      .def("plan_again", &Solver::plan_again);
  module.def("device_array", device_array, nb::arg("shape"), nb::arg("type"), nb::arg("gpu"),
             "Memory on a GPU, for DLPack.");
  module.def(
      "wait_for",
      [](std::uintptr_t stream, int gpu) { without_gil([&] { wait_for(gpu, stream_of(stream)); }); },
      nb::arg("stream"), nb::arg("gpu"), "Until all that was queued in the stream is done.");
}

}  // namespace pleiad::python
