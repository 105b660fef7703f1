/// Runs that signals stop after some batches of steps, and that are resumed until their end.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/durable/durable.hpp"
#include "run/observer.hpp"
#include "run/run.hpp"
#include "run/stop.hpp"

#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace pleiad::test {

inline nlohmann::json summary_in(const std::filesystem::path& run) {
  return nlohmann::json::parse(read_file(run / "summary.json"));
}

/// Makes the run of a request, which a signal stops after every so many batches. Returns how often;
/// std::runtime_error beyond 40 times.
inline int run_in_parts(run::Request request, int batches) {
  class StopsEarly final : public run::Observer {
   public:
    explicit StopsEarly(int batches) : left_(batches) {}
    void progressed(const std::function<run::Progress()>&) override {
      if (--left_ == 0) run::SignalWatch::pass_on(SIGTERM);
    }

   private:
    int left_;
  };
  const std::filesystem::path directory = request.options.output.directory;
  for (int stops = 0; stops <= 40; ++stops) {
    const run::SignalWatch watch;
    StopsEarly stop(batches);
    request.observer = &stop;
    if (run::execute(request) == run::End::done) return stops;
    request = {};
    request.resume = directory;
  }
  throw std::runtime_error("a run does not come to its end");
}

}  // namespace pleiad::test
