/// The output of a run on the terminal: a header, a progress line, notes, and the summary at the
/// end.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/observer.hpp"

#include <functional>
#include <string>

namespace pleiad::app {

class Console : public run::Observer {
 public:
  /// `quiet`: neither header nor progress. `json`: the summary as JSON.
  Console(bool quiet, bool json);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() override { clear(); }

  void tuning(const std::string& what, bool begins) override;
  void started(const run::Started& run) override;
  void note(const std::string& text) override;
  void progressed(const std::function<run::Progress()>& now) override;
  void finished(const run::SystemSummary& summary) override;
  void finished(const run::EnsembleSummary& summary) override;

 private:
  /// Rewrites the line of progress on a terminal.
  void draw(const std::string& line);
  /// Removes it, so that something else can be printed.
  void clear();
  [[nodiscard]] bool shows_notes() const;

  bool quiet_, json_, terminal_, drawn_ = false;
  double start_time_ = 0, t_end_ = 0;
  bool comoving_ = false;    ///< times are ln a
  double start_ = 0, last_;  ///< seconds() at the first step, and at the last output
};

}  // namespace pleiad::app
