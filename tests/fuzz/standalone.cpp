/// Runs a fuzz target without libFuzzer: every file of the kept corpus, then mutations of them, the same ones
/// at each run. fuzz_NAME CORPUS... [-mutations=N] [-seconds=S]; an input that fails is kept as crash-NUMBER.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "target.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <random>
#include <vector>

#include <fcntl.h>

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// An input that takes longer hangs.
constexpr unsigned longest_seconds = 60;
constexpr std::size_t longest_input = 1 << 16;

// What the handler of signals needs to keep the input.
std::string now;
char reproducer[32] = "crash-0";
volatile pid_t owner = 0;

extern "C" void keep_input(int signal) {
  if (::getpid() == owner) {
    const int out = ::open(reproducer, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (out >= 0 && ::write(out, now.data(), now.size()) >= 0) ::close(out);
    const char* what = signal == SIGALRM ? "a hang; the input is " : "a crash; the input is ";
    for (const char* text : {what, static_cast<const char*>(reproducer), "\n"})
      if (::write(STDERR_FILENO, text, std::string_view(text).size()) < 0) break;
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(std::string input, std::size_t number) {
  now = std::move(input);
  *std::to_chars(reproducer + 6, reproducer + sizeof reproducer - 1, number).ptr = '\0';
  ::alarm(longest_seconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(now.data()), now.size());
  ::alarm(0);
}

/// mt19937_64 gives the same numbers everywhere; the distributions of the library need not.
struct Dice {
  std::mt19937_64 engine{20261122};
  std::size_t below(std::size_t n) { return n == 0 ? 0 : engine() % n; }
};

/// One change, of the kinds that libFuzzer makes too.
void mutate(std::string& s, const std::vector<std::string>& corpus, Dice& dice) {
  static constexpr std::string_view numbers[]{
      "0", "-1", "1e308", "1e-320", "nan", "inf", "0.1e-9", "4294967296", "\xff\xff", "18446744073709551616"};
  const std::size_t at = dice.below(s.size());
  switch (dice.below(8)) {
    case 0:
      if (!s.empty()) s[at] = static_cast<char>(s[at] ^ (1 << dice.below(8)));
      break;
    case 1:
      if (!s.empty()) s[at] = static_cast<char>(dice.engine());
      break;
    case 2:
      s.insert(at, 1 + dice.below(8), static_cast<char>(dice.engine()));
      break;
    case 3:
      s.erase(at, 1 + dice.below(16));
      break;
    case 4: {  // a binary number of 4 or 8 bytes at its place or beside it
      const std::uint64_t value = dice.below(2) == 0 ? dice.below(300) : ~std::uint64_t{0} >> dice.below(64);
      const std::size_t width = dice.below(2) == 0 ? 4 : 8;
      for (std::size_t k = 0; k < width && at + k < s.size(); ++k)
        s[at + k] = static_cast<char>(value >> 8 * k);
      break;
    }
    case 5:
      s.insert(at, numbers[dice.below(std::size(numbers))]);
      break;
    case 6: {  // a piece of another file, over or between what is there
      const auto& other = corpus[dice.below(corpus.size())];
      const auto piece = other.substr(dice.below(other.size()), 1 + dice.below(64));
      s.replace(at, dice.below(2) == 0 ? 0 : piece.size(), piece);
      break;
    }
    default:  // a piece of itself, elsewhere
      s.insert(at, s.substr(dice.below(s.size()), 1 + dice.below(64)));
  }
  if (s.size() > longest_input) s.resize(longest_input);
}

std::vector<std::string> files_in(const fs::path& place) {
  if (fs::is_regular_file(place)) return {pleiad::fuzz::bytes_of(place)};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> contents;
  for (const auto& file : files) contents.push_back(pleiad::fuzz::bytes_of(file));
  return contents;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t mutations = 4000;
  double seconds = 4;
  std::vector<std::string> corpus;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word.starts_with("-mutations=")) mutations = std::stoul(word.substr(11));
    else if (word.starts_with("-seconds=")) seconds = std::stod(word.substr(9));
    else
      for (auto& content : files_in(word)) corpus.push_back(std::move(content));
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: %s CORPUS... [-mutations=N] [-seconds=S]; there is no input\n", argv[0]);
    return 2;
  }
  owner = ::getpid();
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM})
    std::signal(signal, keep_input);
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  for (std::size_t k = 0; k < corpus.size(); ++k) run(corpus[k], k);
  Dice dice;
  std::size_t made = 0;
  for (; made < mutations && spent() < seconds; ++made) {
    std::string input = corpus[dice.below(corpus.size())];
    for (std::size_t changes = 1 + dice.below(6); changes > 0; --changes) mutate(input, corpus, dice);
    run(std::move(input), corpus.size() + made);
  }
  std::printf("%zu kept inputs, %zu mutations, %.1f s\n", corpus.size(), made, spent());
  return 0;
}
