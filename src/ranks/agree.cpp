#include "ranks/agree.hpp"

#include "core/state_hash.hpp"

#include <algorithm>
#include <exception>
#include <optional>

namespace pleiad::ranks {

std::vector<std::string> all_texts(Communicator& comm, std::string_view mine) {
  const auto all = all_gather<char>(comm, std::span<const char>(mine));
  std::vector<std::string> texts;
  for (int r = 0; r < comm.ranks(); ++r) {
    const auto text = all.of(r);
    texts.emplace_back(text.begin(), text.end());
  }
  return texts;
}

std::string first_text(Communicator& comm, std::string_view mine) {
  for (const auto& text : all_texts(comm, mine))
    if (!text.empty()) return text;
  return "";
}

void agree(Communicator& comm, const std::function<void()>& work) {
  if (comm.ranks() == 1) return work();
  std::optional<Error> failed;
  try {
    work();
  } catch (const AgreedError&) {
    throw;  // that all have agreed on
  } catch (const Error& e) {
    failed = e;
  }
  if (all(comm, !failed)) return;
  const auto codes = all_gather(comm, failed ? static_cast<int>(failed->code()) : 0);
  const auto texts = all_texts(comm, failed ? failed->what() : "");
  const auto first = std::ranges::find_if(codes, [](int code) { return code != 0; });
  const auto rank = static_cast<std::size_t>(first - codes.begin());
  throw AgreedError(Error::Code{*first},
                    (rank == 0 ? "" : "rank " + std::to_string(rank) + ": ") + texts[rank]);
}

void gather_in_chunks(Communicator& comm, const Pieces& mine,
                      const std::function<void(std::string_view)>& use) {
  if (comm.ranks() == 1) {
    for (std::size_t k = 0; k < mine.count; ++k) use(mine.make(k));
    return;
  }
  const auto counts = all_gather(comm, std::uint64_t{mine.count});
  const bool receives = comm.rank() == 0;
  std::exception_ptr failure;
  for (int from = 0; from < comm.ranks(); ++from)
    for (std::uint64_t k = 0; k < counts[static_cast<std::size_t>(from)]; ++k) {
      std::string_view piece;
      if (comm.rank() == from) piece = mine.make(static_cast<std::size_t>(k));
      const auto got = gather_to_root<char>(comm, piece);
      if (!receives || failure) continue;
      try {
        use({got.data.data(), got.data.size()});
      } catch (...) {
        failure = std::current_exception();
      }
    }
  if (failure) std::rethrow_exception(failure);
}

void gather_in_chunks(Communicator& comm, std::string_view mine,
                      const std::function<void(std::string_view)>& use) {
  constexpr std::size_t most = std::size_t{1} << 24;
  gather_in_chunks(
      comm, {(mine.size() + most - 1) / most, [&](std::size_t k) { return mine.substr(k * most, most); }},
      use);
}

void one_rank_at_a_time(Communicator& comm, std::span<double> values, const std::function<void()>& work) {
  const int ranks = comm.ranks();
  if (ranks == 1) return work();
  for (int r = 0; r < ranks; ++r) {
    const bool mine = r == comm.rank();
    if (mine) work();
    const int next = (r + 1) % ranks;
    std::vector<std::size_t> begins(static_cast<std::size_t>(ranks) + 1, 0);
    if (mine) std::fill(begins.begin() + next + 1, begins.end(), values.size());
    const auto got = all_to_all<double>(comm, std::span<const double>(values).first(begins.back()), begins);
    if (next == comm.rank()) std::ranges::copy(got.data, values.begin());
  }
}

std::string state_hash(Communicator& comm, const Bodies& own) {
  StateHash hash;
  const auto add = [&](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    gather_in_chunks(comm, {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                     [&](std::string_view piece) { hash.add(piece); });
  };
  add(own.id);
  for (const auto* a : {&own.x, &own.y, &own.z, &own.vx, &own.vy, &own.vz, &own.mass}) add(*a);
  return all_texts(comm, comm.rank() == 0 ? hash.text() : "").front();
}

}  // namespace pleiad::ranks
