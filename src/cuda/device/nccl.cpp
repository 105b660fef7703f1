#include "cuda/device/nccl.hpp"

#include "cuda/device/memory.hpp"

#include <pleiad/error.hpp>

#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>

namespace pleiad::cuda {
namespace {

// The part of nccl.h that is used; its numbers have been the same in all of NCCL 2.
using Result = int;
constexpr Result success = 0;
constexpr int as_uint64 = 5, as_sum = 0;
using Group = void*;

/// Name of the library to load, if any.
const char* file() {
#ifdef PLEIAD_EMULATE_CUDA
  return std::getenv("PLEIAD_EMULATED_NCCL");  // one for the host's memory, of the tests
#else
  return "libnccl.so.2";
#endif
}

class Library {
 public:
  Library() {
    if (file() != nullptr) library_ = ::dlopen(file(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    found_ = find(version, "ncclGetVersion") && find(error_text, "ncclGetErrorString") &&
             find(make_id, "ncclGetUniqueId") && find(join, "ncclCommInitRank") &&
             find(leave, "ncclCommAbort") && find(begin_calls, "ncclGroupStart") &&
             find(end_calls, "ncclGroupEnd") && find(broadcast, "ncclBroadcast") &&
             find(reduce, "ncclReduce") && find(send, "ncclSend") && find(receive, "ncclRecv");
  }
  bool found() const { return found_; }
  void check(Result result) const {
    if (result != success) throw ResourceError(fmt::format("NCCL: {}", error_text(result)));
  }

  Result (*version)(int*) = nullptr;
  const char* (*error_text)(Result) = nullptr;
  Result (*make_id)(NcclGroup::Id*) = nullptr;
  Result (*join)(Group*, int ranks, NcclGroup::Id, int rank) = nullptr;
  Result (*leave)(Group) = nullptr;  // waits for no other rank, which may have failed
  Result (*begin_calls)() = nullptr;
  Result (*end_calls)() = nullptr;
  Result (*broadcast)(const void* from, void* to, std::size_t count, int type, int root, Group,
                      void* stream) = nullptr;
  Result (*reduce)(const void* from, void* to, std::size_t count, int type, int how, int root, Group,
                   void* stream) = nullptr;
  Result (*send)(const void* from, std::size_t count, int type, int to, Group, void* stream) = nullptr;
  Result (*receive)(void* to, std::size_t count, int type, int from, Group, void* stream) = nullptr;

 private:
  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    return function != nullptr;
  }
  void* library_ = nullptr;  // stays loaded to the end of the process: it has threads of its own
  bool found_ = false;
};

const Library& library() {
  static const Library loaded;
  return loaded;
}
const Library& need_library() {
  if (!library().found()) throw ResourceError("no NCCL (libnccl.so.2)");
  return library();
}

}  // namespace

std::string nccl_version() {
  int number = 0;
  if (!library().found() || library().version(&number) != success) return "";
  const int major = number < 10000 ? number / 1000 : number / 10000,
            rest = number % (number < 10000 ? 1000 : 10000);
  return fmt::format("NCCL {}.{}.{}", major, rest / 100, rest % 100);
}

NcclGroup::Id NcclGroup::make_id() {
  Id id{};
  need_library().check(library().make_id(&id));
  return id;
}

NcclGroup::NcclGroup(const Id& id, int rank, int ranks) : rank_(rank), ranks_(ranks) {
  // No collective that is used here takes NVLink multicast, whose set-up takes time and memory, and which not
  // every virtual machine has.
  ::setenv("NCCL_NVLS_ENABLE", "0", 0);
  // Buffers that are as fast: between two H100 it takes 978 MiB of each with these, and 1314 without; 430 MB
  // to each other took 1.23 and 1.22 ms.
  ::setenv("NCCL_BUFFSIZE", "2097152", 0);
  ::setenv("NCCL_LL128_BUFFSIZE", "524288", 0);
  ::setenv("NCCL_LL_BUFFSIZE", "131072", 0);
  need_library().check(library().join(&group_, ranks, id, rank));
}
NcclGroup::~NcclGroup() {
  if (group_ != nullptr) (void)library().leave(group_);
}

void NcclGroup::give_to_all(std::byte* data, std::span<const std::size_t> begins, void* stream) const {
  const auto& nccl = library();
  nccl.check(nccl.begin_calls());
  for (int r = 0; r < ranks_; ++r) {
    const auto at = static_cast<std::size_t>(r);
    if (const std::size_t bytes = begins[at + 1] - begins[at]; bytes > 0)
      nccl.check(nccl.broadcast(data + begins[at], data + begins[at], bytes / sizeof(std::uint64_t),
                                as_uint64, r, group_, stream));
  }
  nccl.check(nccl.end_calls());
}

void NcclGroup::add_up(const std::byte* data, std::span<const std::size_t> begins, std::byte* own,
                       void* stream) const {
  const auto& nccl = library();
  nccl.check(nccl.begin_calls());
  for (int r = 0; r < ranks_; ++r) {
    const auto at = static_cast<std::size_t>(r);
    if (const std::size_t bytes = begins[at + 1] - begins[at]; bytes > 0)
      nccl.check(nccl.reduce(data + begins[at], r == rank_ ? own : nullptr, bytes / sizeof(std::uint64_t),
                             as_uint64, as_sum, r, group_, stream));
  }
  nccl.check(nccl.end_calls());
}

void NcclGroup::all_to_all(const std::byte* data, std::span<const std::size_t> begins, std::byte* to,
                           std::span<const std::size_t> came, void* stream) const {
  const auto& nccl = library();
  nccl.check(nccl.begin_calls());
  for (int r = 0; r < ranks_; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const std::size_t sent = begins[at + 1] - begins[at], received = came[at + 1] - came[at];
    if (r == rank_) continue;
    if (sent > 0)
      nccl.check(nccl.send(data + begins[at], sent / sizeof(std::uint64_t), as_uint64, r, group_, stream));
    if (received > 0)
      nccl.check(nccl.receive(to + came[at], received / sizeof(std::uint64_t), as_uint64, r, group_, stream));
  }
  nccl.check(nccl.end_calls());
  const auto me = static_cast<std::size_t>(rank_);
  if (begins[me + 1] > begins[me])
    copy_on_device(to + came[me], data + begins[me], begins[me + 1] - begins[me], stream);
}

}  // namespace pleiad::cuda
