/// The movie of the pictures.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/analysis.hpp"

#include <array>

namespace pleiad::run {
namespace {

constexpr std::array<std::string_view, 1> movie_files{"movie.mp4"};

class Movie : public Output {
 public:
  using Output::Output;
  void finish(Ending& ending) override {
    auto& directory = *run_.directory;
    made_ = run_.options.output.movie && ending.made("movie", [&](std::string& why) {
      return make_movie(directory.path() / "pictures", directory.file("movie.mp4"), 25, why, ending.how);
    });
  }
  Files files() const override {
    return {{"movie", made_ ? run_.directory->file("movie.mp4").string() : ""}};
  }

 private:
  bool made_ = false;
};

constexpr std::array<std::string_view, 1> movie_keys{"output.movie"};

}  // namespace

extern const Analysis analysis_movie{
    .name = "movie", .keys = movie_keys, .files = movie_files, .at_end = true, .make = make_output<Movie>};

}  // namespace pleiad::run
