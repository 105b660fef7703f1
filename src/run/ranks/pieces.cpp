#include "run/ranks/pieces.hpp"

#include "core/json_text.hpp"
#include "core/json_whole.hpp"
#include "core/part.hpp"
#include "core/state_hash.hpp"
#include "io/checkpoint/container.hpp"
#include "io/checkpoint/sections.hpp"
#include "io/durable/durable.hpp"
#include "io/durable/open_folder.hpp"
#include "io/durable/paths.hpp"
#include "ranks/agree.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

namespace fs = std::filesystem;

constexpr const char *manifest_name = "checkpoint.ranks.pleiad",
                     *previous_name = "checkpoint.ranks.prev.pleiad";
constexpr std::string_view section = "ranks";
constexpr std::array generations{'a', 'b', 'c'};

std::string name_of_piece(char generation, std::size_t rank) {
  return fmt::format("checkpoint.{}.{}.pleiad", generation, rank);
}

/// A piece in the manifest.
struct Piece {
  std::uint64_t bodies = 0;
  std::array<char, 32> hash{};  ///< of its bytes
  std::string_view hash_text() const { return {hash.data(), hash.size()}; }
};

struct PiecesManifest {
  char generation = 'a';
  std::vector<Piece> pieces;

  std::size_t bodies() const {
    std::size_t all = 0;
    for (const auto& piece : pieces) all += piece.bodies;
    return all;
  }
};

std::string text_of(const PiecesManifest& manifest) {
  auto pieces = nlohmann::ordered_json::array();
  for (const auto& piece : manifest.pieces)
    pieces.push_back({{"bodies", piece.bodies}, {"hash", piece.hash_text()}});
  return json_text(
      nlohmann::ordered_json{{"generation", std::string(1, manifest.generation)}, {"pieces", pieces}});
}

/// InputError when it is not as it was written.
PiecesManifest read_manifest(const fs::path& file) {
  const auto bytes = read_file(file);
  container::Reader reader(bytes, file.string());
  const auto text = reader.section(section);
  reader.finish();
  PiecesManifest manifest;
  try {
    const auto json = nlohmann::json::parse(text);
    manifest.generation = json.at("generation").get<std::string>().at(0);
    for (const auto& each : json.at("pieces")) {
      const auto hash = each.at("hash").get<std::string>();
      Piece piece{.bodies = need_whole_number_in<decltype(Piece::bodies)>(each.at("bodies"))};
      if (hash.size() != piece.hash.size()) reader.refuse(section, "a hash has another length than 32");
      std::ranges::copy(hash, piece.hash.begin());
      manifest.pieces.push_back(piece);
    }
  } catch (const std::exception& e) {
    reader.refuse(section, e.what());
  }
  return manifest;
}

std::optional<PiecesManifest> manifest_if_whole(const fs::path& file) {
  if (!has_entry(file)) return std::nullopt;
  try {
    return read_manifest(file);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// A generation that neither of the two manifests names.
char next_generation(const fs::path& directory) {
  std::string used;
  for (const char* name : {manifest_name, previous_name})
    if (const auto manifest = manifest_if_whole(directory / name)) used += manifest->generation;
  return *std::ranges::find_if(generations, [&](char g) { return used.find(g) == used.npos; });
}

Piece write_piece(const std::shared_ptr<const OpenFolder>& directory, const std::string& name,
                  const Checkpoint& own) {
  StateHash hash;
  AtomicWrite how;
  how.folder = directory;
  write_file_atomically(
      directory->path() / name,
      [&](NewFile& out) {
        with_sections(own, [&](const container::Writer& writer) {
          writer.write([&](std::string_view bytes) { out.append(bytes), hash.add(bytes); });
        });
      },
      how);
  Piece piece{.bodies = own.snapshot.bodies.size()};
  std::ranges::copy(hash.text(), piece.hash.begin());
  return piece;
}

void write_manifest(const std::shared_ptr<const OpenFolder>& directory, const PiecesManifest& manifest) {
  const auto text = text_of(manifest);
  container::Writer writer;
  writer.section(section, text);
  const auto file = directory->path() / manifest_name;
  AtomicWrite how;
  how.folder = directory;
  if (container::is_whole(file)) how.previous_kept_as = directory->path() / previous_name;
  write_file_atomically(
      file, [&](NewFile& out) { writer.write([&](std::string_view bytes) { out.append(bytes); }); }, how);
}

Checkpoint read_piece(const fs::path& file, const Piece& piece) {
  const auto bytes = read_file(file);
  StateHash hash;
  hash.add(bytes);
  if (hash.text() != piece.hash_text())
    throw InputError(fmt::format("'{}' is not the piece that the manifest names", file.string()));
  auto checkpoint = decode(bytes, file.string());
  if (checkpoint.snapshot.bodies.size() != piece.bodies)
    throw InputError(fmt::format("'{}' has {} bodies, not {}", file.string(),
                                 checkpoint.snapshot.bodies.size(), piece.bodies));
  return checkpoint;
}

/// Reads the bodies [first, end) of a generation. All other data are in every piece.
Checkpoint read_part(const fs::path& directory, const PiecesManifest& manifest, std::size_t first,
                     std::size_t end) {
  std::optional<Checkpoint> part;
  Bodies bodies;
  std::size_t begin = 0;
  for (std::size_t r = 0; r < manifest.pieces.size(); ++r) {
    const std::size_t count = manifest.pieces[r].bodies, from = std::max(first, begin),
                      to = std::min(end, begin + count);
    if (from < to || (r == 0 && first == end)) {
      auto piece = read_piece(directory / name_of_piece(manifest.generation, r), manifest.pieces[r]);
      if (from < to) append_part(bodies, piece.snapshot.bodies, from - begin, to - from);
      piece.snapshot.bodies = {};
      if (!part) part = std::move(piece);
    }
    begin += count;
  }
  if (!part) throw InputError(fmt::format("'{}': its manifest names no piece", directory.string()));
  part->snapshot.bodies = std::move(bodies);
  return std::move(*part);
}

}  // namespace

bool has_pieces(const fs::path& directory) {
  return has_entry(directory / manifest_name) || has_entry(directory / previous_name);
}

std::vector<std::string> names_of_pieces(int ranks) {
  std::vector<std::string> names{manifest_name, previous_name};
  for (const char generation : generations)
    for (int r = 0; r < ranks; ++r) names.push_back(name_of_piece(generation, static_cast<std::size_t>(r)));
  return names;
}

void save_pieces(ranks::Communicator& comm, const std::shared_ptr<const OpenFolder>& directory,
                 const Checkpoint& own) {
  // Rank 0 alone decides: others might see an older state of a shared file system.
  const char generation = all_gather(comm, comm.rank() == 0 ? next_generation(directory->path()) : ' ')[0];
  Piece mine;
  agree(comm, [&] {
    mine = write_piece(directory, name_of_piece(generation, static_cast<std::size_t>(comm.rank())), own);
  });
  const PiecesManifest manifest{generation, all_gather(comm, mine)};
  agree(comm, [&] {
    if (comm.rank() == 0) write_manifest(directory, manifest);
  });
}

LoadedPieces load_pieces(ranks::Communicator& comm, const fs::path& directory) {
  LoadedPieces loaded;
  const auto load = [&](const char* name) {
    agree(comm, [&] {
      const auto manifest = read_manifest(directory / name);
      loaded.division = {manifest.bodies(), comm.ranks()};
      loaded.checkpoint = read_part(directory, manifest, loaded.division.first(comm.rank()),
                                    loaded.division.first(comm.rank() + 1));
    });
  };
  try {
    load(manifest_name);
  } catch (const Error& e) {
    const std::string fault = e.what();
    try {
      load(previous_name);
    } catch (const Error& older) {
      throw ranks::AgreedError(
          Error::Code::damaged_file,
          fmt::format("no checkpoint in '{}' is whole: {}; {}", directory.string(), fault, older.what()));
    }
    loaded.warning = fmt::format("{}; continuing from the previous checkpoint (step {})", fault,
                                 loaded.checkpoint.snapshot.step);
  }
  return loaded;
}

}  // namespace pleiad::run
