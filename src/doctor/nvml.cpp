#include "doctor/nvml.hpp"

#include <array>
#include <utility>

#include <dlfcn.h>

namespace pleiad::doctor {
namespace {

// The part of nvml.h that is used; its interface is fixed by the numbers in the names.
using Device = void*;
constexpr int success = 0, corrected_errors = 0, uncorrected_errors = 1, since_load = 0, ever = 1,
              multiprocessor_clock = 1, core_temperature = 0;
constexpr std::array<std::pair<unsigned long long, const char*>, 5> slow_reasons{
    {{0x04, "power cap"},
     {0x08, "hardware slowdown"},
     {0x20, "temperature"},
     {0x40, "temperature (by the hardware)"},
     {0x80, "power brake"}}};

class Loaded final : public Nvml {
 public:
  explicit Loaded(void* library) : library_(library) {
    const auto start = function<int()>("nvmlInit_v2");
    started_ = start != nullptr && start() == success;
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() override {
    if (const auto stop = function<int()>("nvmlShutdown"); started_ && stop != nullptr) stop();
    ::dlclose(library_);
  }
  bool started() const { return started_; }

  std::string driver_version() const override {
    char text[96]{};
    const auto ask = function<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
    return ask != nullptr && ask(text, sizeof text) == success ? text : "";
  }

  Health health(const std::string& bus) const override {
    Health h;
    Device device = nullptr;
    const auto find = function<int(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (find == nullptr || find(bus.c_str(), &device) != success) return h;
    unsigned now = 0, later = 0;
    const auto ecc = function<int(Device, unsigned*, unsigned*)>("nvmlDeviceGetEccMode");
    if (ecc != nullptr && ecc(device, &now, &later) == success)
      h.ecc = now != 0, h.ecc_after_reboot = later != 0;
    h.corrected = errors(device, corrected_errors, since_load);
    h.uncorrected = errors(device, uncorrected_errors, since_load);
    h.corrected_ever = errors(device, corrected_errors, ever);
    h.uncorrected_ever = errors(device, uncorrected_errors, ever);
    h.celsius = number(device, "nvmlDeviceGetTemperature", core_temperature);
    h.megahertz = number(device, "nvmlDeviceGetClockInfo", multiprocessor_clock);
    h.most_megahertz = number(device, "nvmlDeviceGetMaxClockInfo", multiprocessor_clock);
    unsigned long long reasons = 0;
    const auto slow = function<int(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
    if (slow != nullptr && slow(device, &reasons) == success)
      for (const auto& [bit, words] : slow_reasons)
        if ((reasons & bit) != 0) h.slowed_by.emplace_back(words);
    return h;
  }

 private:
  template <class Signature>
  Signature* function(const char* name) const {
    return reinterpret_cast<Signature*>(::dlsym(library_, name));
  }
  std::optional<std::uint64_t> errors(Device device, int kind, int period) const {
    unsigned long long count = 0;
    const auto ask = function<int(Device, int, int, unsigned long long*)>("nvmlDeviceGetTotalEccErrors");
    if (ask == nullptr || ask(device, kind, period, &count) != success) return std::nullopt;
    return count;
  }
  std::optional<unsigned> number(Device device, const char* name, int kind) const {
    unsigned value = 0;
    const auto ask = function<int(Device, int, unsigned*)>(name);
    if (ask == nullptr || ask(device, kind, &value) != success) return std::nullopt;
    return value;
  }

  void* library_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Nvml> Nvml::open(const char* library) {
  void* const handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  auto loaded = std::make_unique<Loaded>(handle);
  if (!loaded->started()) return nullptr;
  return loaded;
}

}  // namespace pleiad::doctor
