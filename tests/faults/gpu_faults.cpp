#include "faults/gpu_faults.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace pleiad::test {
namespace {

namespace fs = std::filesystem;

/// An undisturbed run takes well below a second. Outputs at several steps, a checkpoint at others: faults
/// fall between any two of them.
constexpr std::string_view config = R"([initial_conditions]
model = "plummer"
parameters = ["n=40"]
seed = 11
[gravity]
softening = 0.02
[time]
dt = 0.0078125
t_end = 0.0625
[engine]
threads = 1
backend = "cuda"
tuning = "off"
[output]
pictures = false
plots = false
snapshot_format = "csv"
diagnostics_interval = 0.015625
snapshot_interval = 0.03125
trajectory_ids = [0, 7]
trajectory_every = 4
[checkpoint]
interval_seconds = 0
every_steps = 3
)";

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// CUDA's name of each kind of fault; a kind that CUDA may report in several ways has none.
std::string_view name_of(std::string_view kind) {
  if (kind == "memory") return "cudaErrorMemoryAllocation";
  if (kind == "ecc") return "cudaErrorECCUncorrectable";
  if (kind == "lost") return "cudaErrorUnknown";
  return "cudaErrorLaunchFailure";
}

std::string last_line_of(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  return end == text.npos ? "" : text.substr(text.rfind('\n', end) + 1);
}

}  // namespace

GpuFaults::GpuFaults(fs::path program, std::vector<std::string> settings)
    : program_(std::move(program)), settings_(std::move(settings)) {
  std::ofstream(scratch_.path / "run.toml") << config;
  const auto end = fresh(scratch_.path / "whole");
  if (end.code != 0) throw std::runtime_error("the undisturbed run failed: " + end.err);
  whole_ = files_of(scratch_.path / "whole");
  last_line_ = last_line_of(end.out);
  EXPECT_TRUE(last_line_.starts_with("state hash ")) << end.out;
  calls_ = count_calls();
}

std::vector<std::string> GpuFaults::command(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words{program_.string(), "run", "--quiet"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

ProgramEnd GpuFaults::pleiad(const std::vector<std::string>& arguments, const std::string& fault) const {
  Program::Environment environment;
  if (!fault.empty()) environment["PLEIAD_CUDA_FAULT"] = fault;
  return run_program(command(arguments), environment, scratch_.path);
}

std::vector<std::string> GpuFaults::fresh_arguments(const fs::path& output) const {
  std::vector<std::string> arguments{(scratch_.path / "run.toml").string(), "--overwrite", "--output",
                                     output.string()};
  for (const auto& setting : settings_) arguments.insert(arguments.end(), {"--set", setting});
  return arguments;
}

ProgramEnd GpuFaults::fresh(const fs::path& output, const std::string& fault) const {
  return pleiad(fresh_arguments(output), fault);
}

/// A sticky fault ends every run that makes at least so many calls, and no other.
std::uint64_t GpuFaults::count_calls() const {
  const auto ends = [&](std::uint64_t call) {
    return fresh(scratch_.path / "count", std::to_string(call) + ":ecc").code != 0;
  };
  std::uint64_t made = 0, too_many = 1;
  while (ends(too_many)) made = too_many, too_many *= 2;
  while (made + 1 < too_many) {
    const std::uint64_t middle = made + (too_many - made) / 2;
    (ends(middle) ? made : too_many) = middle;
  }
  return made;
}

GpuFaults::Files GpuFaults::files_of(const fs::path& output) {
  Files files;
  if (!fs::exists(output)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(output))
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), output).string()] = content_of(entry.path());
  return files;
}

void GpuFaults::expect_fault_is_told(const ProgramEnd& end, std::string_view kind) const {
  EXPECT_EQ(end.code, 4) << end.err;
  EXPECT_EQ(end.out, "");
  EXPECT_TRUE(end.err.starts_with("pleiad: error: ")) << end.err;
  EXPECT_EQ(end.err.find('\n'), end.err.size() - 1) << end.err;
  EXPECT_NE(end.err.find(name_of(kind)), std::string::npos) << end.err;
}

/// Snapshots are whole and right, and tables, which are appended to, right as far as they go.
void GpuFaults::expect_nothing_is_half_written(const fs::path& output) const {
  for (const auto& [name, content] : files_of(output)) {
    EXPECT_EQ(name.find(".tmp."), std::string::npos) << name;
    if (name.starts_with("snapshots")) {
      EXPECT_EQ(content, whole_.at(name)) << name;
    }
    if (name == "diagnostics.txt" || name == "trajectory.csv") {
      EXPECT_TRUE(whole_.at(name).starts_with(content)) << name << ":\n" << content;
    }
  }
}

void GpuFaults::expect_undisturbed(const ProgramEnd& end, const fs::path& output) const {
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(last_line_of(end.out), last_line_);
  const auto files = files_of(output);
  for (const auto& [name, content] : whole_) {
    ASSERT_TRUE(files.contains(name)) << name;
    // These state the process, the folder, and how long the run took.
    const bool differs =
        name == ".lock" || name == "config.toml" || name == "summary.json" || name.starts_with("checkpoint");
    if (!differs) {
      EXPECT_EQ(files.at(name), content) << name;
    }
  }
}

/// From the checkpoint where there is one; a run that failed before its first begins anew.
void GpuFaults::go_on(const fs::path& output) const {
  if (!fs::exists(output / "checkpoint.pleiad")) {
    expect_undisturbed(fresh(output), output);
    return;
  }
  EXPECT_EQ(load_checkpoint(output).warning, "");
  expect_undisturbed(pleiad({"--resume", output.string()}), output);
}

bool GpuFaults::survives(std::uint64_t call, std::string_view kind) const {
  const std::string fault = std::to_string(call) + ":" + std::string(kind);
  SCOPED_TRACE("PLEIAD_CUDA_FAULT=" + fault);
  const Folder folder;
  const fs::path output = folder.path / "run";
  const auto end = fresh(output, fault);
  if (call > calls_) {
    expect_undisturbed(end, output);
    return false;
  }
  expect_fault_is_told(end, kind);
  expect_nothing_is_half_written(output);
  if (fs::exists(output / "checkpoint.pleiad")) {
    EXPECT_NE(end.err.find("pleiad run --resume " + output.string()), std::string::npos) << end.err;
  }
  go_on(output);
  return end.code == 4;
}

std::size_t GpuFaults::sweep(std::string_view kind, std::uint64_t stride) const {
  std::size_t ended = 0;
  for (std::uint64_t call = 1; call <= calls_ && !::testing::Test::HasFailure(); call += stride)
    ended += survives(call, kind);
  EXPECT_FALSE(survives(calls_ + 1, kind));
  return ended;
}

void GpuFaults::sweep_resumed(std::string_view kind, std::uint64_t stride) const {
  const Folder folder;
  const fs::path start = folder.path / "start", output = folder.path / "run";
  // Well behind the first checkpoint.
  EXPECT_EQ(fresh(start, std::to_string(calls_ * 3 / 4) + ":memory").code, 4);
  for (std::uint64_t call = 1; !::testing::Test::HasFailure(); call += stride) {
    SCOPED_TRACE("resumed with PLEIAD_CUDA_FAULT=" + std::to_string(call) + ":" + std::string(kind));
    fs::remove_all(output);
    fs::copy(start, output, fs::copy_options::recursive);
    const auto end = pleiad({"--resume", output.string()}, std::to_string(call) + ":" + std::string(kind));
    if (end.code == 0) {
      EXPECT_GT(call, 1U);
      expect_undisturbed(end, output);
      return;
    }
    expect_fault_is_told(end, kind);
    expect_nothing_is_half_written(output);
    go_on(output);
  }
}

void GpuFaults::survives_sigterm() const {
  const Folder folder;
  const fs::path output = folder.path / "run", whole = folder.path / "whole";
  auto arguments = fresh_arguments(output);
  // Some 10^7 steps, with no output on the way.
  for (const char* setting : {"time.t_end=100000", "output.diagnostics_interval=50000",
                              "output.snapshot_interval=100000", "checkpoint.every_steps=1000"})
    arguments.insert(arguments.end(), {"--set", setting});
  Program program(command(arguments), {}, scratch_.path);
  for (int k = 0; k < 5000 && !fs::exists(output / "checkpoint.prev.pleiad"); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.signal(SIGTERM);
  const auto end = program.wait();
  EXPECT_EQ(end.code, 75) << end.err;
  EXPECT_NE(end.err.find("SIGTERM"), std::string::npos) << end.err;
  EXPECT_EQ(end.err.find('\n'), end.err.size() - 1) << end.err;
  const auto loaded = load_checkpoint(output);
  EXPECT_EQ(loaded.warning, "");
  EXPECT_GT(loaded.checkpoint.snapshot.step, 0U);

  // Another 100 steps: the bits of a run that was never interrupted.
  const auto t_end = "time.t_end=" + std::to_string(loaded.checkpoint.snapshot.time + 100.0 / 128);
  const auto resumed = pleiad({"--resume", output.string(), "--set", t_end});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  arguments = fresh_arguments(whole);
  for (const auto& setting :
       {t_end, std::string("output.diagnostics_interval=0"), std::string("output.snapshot_interval=0"),
        std::string("checkpoint.every_steps=0")})
    arguments.insert(arguments.end(), {"--set", setting});
  const auto uninterrupted = pleiad(arguments);
  EXPECT_EQ(uninterrupted.code, 0) << uninterrupted.err;
  EXPECT_EQ(last_line_of(resumed.out), last_line_of(uninterrupted.out));
}

}  // namespace pleiad::test
