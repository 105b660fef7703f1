/// What the doctor says: marks, texts, JSON, and that its tests find what is wrong.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor.hpp"

#include "doctor/health.hpp"
#include "doctor/nvml.hpp"
#include "doctor/self_test.hpp"

#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::doctor;

namespace {

const Finding& about(const Findings& findings, const std::string& subject) {
  static const Finding none;
  const auto at =
      std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.subject == subject; });
  EXPECT_NE(at, findings.end()) << subject;
  return at == findings.end() ? none : *at;
}

void by_the_cpu(const PairProblem<F32>& p) {
  choose_direct_kernel(1000, Precision::f32, {}).method.kernel->f32(p, {});
}

}  // namespace

TEST(DoctorReport, AlignsLinesUnderTheirGroups) {
  const Findings found{{Mark::ok, "GPU 0", "memory", "80 GiB"},
                       {Mark::broken, "GPU 0", "memory test", "lost"},
                       {Mark::note, "CPU", "vectors", "none"}};
  EXPECT_EQ(as_text(found, false),
            "GPU 0\n"
            "  ok      memory       80 GiB\n"
            "  broken  memory test  lost\n"
            "CPU\n"
            "  note    vectors      none\n"
            "1 error, 1 note\n");
  EXPECT_NE(as_text(found, true).find("\033[31mbroken"), std::string::npos);
  EXPECT_TRUE(any_broken(found));
  EXPECT_FALSE(any_broken({found[0], found[2]}));
  EXPECT_NE(as_text({found[0], found[2]}, false).find("no errors, 1 note"), std::string::npos);
}

TEST(DoctorReport, IsJsonForPrograms) {
  const auto j = nlohmann::json::parse(
      as_json({{Mark::broken, "GPU 0", "memory", "a \"quoted\" word", {{"free_bytes", 5.0}}}}));
  EXPECT_EQ(j["healthy"], false);
  EXPECT_EQ(j["findings"][0]["mark"], "broken");
  EXPECT_EQ(j["findings"][0]["text"], "a \"quoted\" word");
  EXPECT_EQ(j["findings"][0]["free_bytes"], 5.0);
}

TEST(DoctorSelfTest, PassesAKernelThatIsRight) { EXPECT_EQ(wrong_pulls(by_the_cpu), ""); }

/// A bit in the middle of one sum, a sum that nobody wrote, and all of them a little too large.
TEST(DoctorSelfTest, FindsWhatIsWrong) {
  EXPECT_NE(wrong_pulls([](const PairProblem<F32>& p) {
              by_the_cpu(p);
              p.sums[999].y *= 1.001f;
            }),
            "");
  EXPECT_NE(wrong_pulls([](const PairProblem<F32>& p) {
              by_the_cpu(p);
              p.sums[500].x = std::numeric_limits<float>::quiet_NaN();
            }),
            "");
  EXPECT_NE(wrong_pulls([](const PairProblem<F32>&) {}), "");
  EXPECT_NE(wrong_pulls([](const PairProblem<F32>& p) {
              by_the_cpu(p);
              for (auto& sum : p.sums) sum.x *= 1.0001f, sum.y *= 1.0001f, sum.z *= 1.0001f;
            }),
            "");
}

TEST(DoctorNvml, IsLeftOutWhereItIsNotThere) { EXPECT_EQ(Nvml::open("no-such-library.so.1"), nullptr); }

TEST(DoctorNvml, TellsErrorsAndWhatSlowsAGpuDown) {
  const auto nvml = Nvml::open(PLEIAD_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->driver_version(), "580.82.07");
  const auto found = findings_of(nvml->health("sick"), "GPU 0");
  EXPECT_EQ(about(found, "ECC").mark, Mark::broken);
  EXPECT_EQ(about(found, "ECC").text,
            "on; errors: 1 corrected and 11 not since the driver was loaded, 2 and 12 ever");
  EXPECT_EQ(about(found, "clock").mark, Mark::note);
  EXPECT_EQ(about(found, "clock").text,
            "345 MHz now of at most 1980, 88 degrees Celsius; slowed down by power cap, temperature (by the "
            "hardware)");
  EXPECT_EQ(found[1].text, "will be off after a reboot");
}

TEST(DoctorNvml, SaysNothingOfWhatItDoesNotKnow) {
  const auto nvml = Nvml::open(PLEIAD_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  EXPECT_TRUE(findings_of(nvml->health("plain"), "GPU 0").empty());
  EXPECT_TRUE(findings_of(nvml->health("nowhere"), "GPU 0").empty());
}

TEST(DoctorHealth, MarksErrorsByWhatTheyCost) {
  Health h{};
  h.ecc = true;
  EXPECT_EQ(findings_of(h, "GPU 0").at(0).mark, Mark::ok);
  h.corrected = 5, h.uncorrected = 0, h.corrected_ever = 5, h.uncorrected_ever = 0;
  EXPECT_EQ(findings_of(h, "GPU 0").at(0).mark, Mark::ok);
  h.uncorrected_ever = 1;
  EXPECT_EQ(findings_of(h, "GPU 0").at(0).mark, Mark::note);
  h.uncorrected = 1;
  EXPECT_EQ(findings_of(h, "GPU 0").at(0).mark, Mark::broken);
  h.ecc = false;
  EXPECT_EQ(findings_of(h, "GPU 0").at(0).mark, Mark::note);
}

TEST(DoctorSizes, FitIntoTheMemoryThatThereIs) {
  const auto found = examine_sizes();
  const auto& cpu = about(found, "CPU");
  ASSERT_EQ(cpu.numbers.size(), 3U);
  EXPECT_GT(cpu.numbers[0].second, cpu.numbers[2].second) << "single precision takes less than double";
  EXPECT_GT(cpu.numbers[2].second, 1e4);
}

/// The machine that runs the tests is well; what is optional may be missing.
TEST(DoctorOnThisMachine, FindsNothingBroken) {
  for (const auto& part : {examine_program("1.2.3"), examine_gpus(), examine_cpu(), examine_surroundings({})})
    for (const auto& f : part) {
      EXPECT_NE(f.mark, Mark::broken) << f.group << ", " << f.subject << ": " << f.text;
      EXPECT_EQ(f.text.find('\n'), std::string::npos) << f.text;
      EXPECT_FALSE(f.text.empty()) << f.subject;
    }
  EXPECT_EQ(about(examine_program("1.2.3"), "version").text, "1.2.3");
}
