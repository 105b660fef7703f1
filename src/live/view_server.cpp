#include "live/view_server.hpp"

#include "core/clock.hpp"
#include "core/threads.hpp"
#include "live/client_sessions.hpp"
#include "live/order.hpp"
#include "live/recording.hpp"
#include "live/thread.hpp"

#include <pleiad/error.hpp>
#include <pleiad/radii.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <time.h>  // NOLINT(modernize-deprecated-headers): clock_gettime is POSIX

namespace pleiad::live {
namespace {

constexpr double order_lasts = 5, box_lasts = 0.5;  ///< seconds
constexpr std::size_t enough_for_centre = 1024;

/// Processor time of this thread in seconds.
double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The density centre of some of the bodies.
std::array<float, 3> centre_of(const Bodies& all) {
  Bodies some;
  const std::size_t stride = all.size() / enough_for_centre + 1;
  for (std::size_t i = 0; i < all.size(); i += stride)
    some.add(all.mass[i], all.position(i), all.velocity(i), all.type[i]);
  const auto centre = density_centre(some);
  return {static_cast<float>(centre.x), static_cast<float>(centre.y), static_cast<float>(centre.z)};
}

/// The scene of the bodies, with an order that is renewed from time to time.
class Scenery {
 public:
  Snapshot& snapshot() { return snapshot_; }
  const Scene& renew(double now) {
    if (scene_.order == nullptr || scene_.order->size() != snapshot_.bodies.size() || now > order_until_ ||
        (now > box_until_ && !suits(scene_.box, snapshot_)))
      renew_order(now);
    if (now > box_until_) box_until_ = now + box_lasts;
    scene_.snapshot = &snapshot_;
    scene_.centre = centre_of(snapshot_.bodies);
    return scene_;
  }

 private:
  void renew_order(double now) {
    if (scene_.order == nullptr || !suits(scene_.box, snapshot_)) scene_.box = box_for(snapshot_);
    scene_.order =
        std::make_shared<const std::vector<std::uint32_t>>(key_order(snapshot_.bodies, scene_.box));
    ++scene_.generation;
    // It takes longer than frames do, and is needed less.
    order_until_ = now + std::max(order_lasts, 100 * (seconds() - now));
    box_until_ = now + box_lasts;
  }

  Snapshot snapshot_;
  Scene scene_;
  double order_until_ = 0, box_until_ = 0;
};

}  // namespace

class ViewServer::Thread : public MessageSink {
 public:
  struct Offer {
    std::function<void(Snapshot&)> take;
    Status status{};
    double from = 0;
  };

  explicit Thread(const ViewServerOptions& options)
      : share_(options.share), sessions_(*this), server_(options.server, [this] { wake(); }) {
    if (!options.record.empty()) need_recordable(options.record);
    to_record_ = options.record;
    thread_ = started_without_signals([this] { serve(); }, "the live view");
  }

  ~Thread() override { close(); }
  void close() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  std::string url() const { return server_.url(); }
  void open(Setting setting) {
    begin_recording();
    post([this, setting = std::move(setting)](ClientSessions& sessions) mutable {
      sessions.open(std::move(setting));
    });
  }
  void tell(const Diagnostics& row) {
    post([row](ClientSessions& sessions) { sessions.tell(row); });
  }
  void tell(const Status& status) {
    post([status](ClientSessions& sessions) { sessions.tell(status); });
  }
  void complain(const std::string& message) {
    post([message](ClientSessions& sessions) { sessions.complain(message); });
  }
  std::string cut() {
    const std::lock_guard lock(mutex_);
    return std::exchange(cut_, {});
  }

  bool watched() const { return watched_; }
  bool wants() const { return !busy_ && seconds() >= wanted_from(); }
  /// While frames are made: when they will probably be done.
  double wanted_from() const {
    return busy_ ? done_from_.load() : std::max(wanted_from_.load(), paced_from_.load());
  }

  void give(std::function<void(Snapshot&)> take, double waited, bool shares_threads) {
    busy_ = true, done_from_ = seconds() + took_;
    {
      const std::lock_guard lock(mutex_);
      take_ = std::move(take), waited_ = waited, shares_threads_ = shares_threads;
    }
    changed_.notify_all();
  }

  void offer(Offer offer) {
    bool sooner = false;
    {
      const std::lock_guard lock(mutex_);
      offer.from = std::max(offer.from, paced_from_.load());
      sooner = offer.from < wakes_at_;
      offer_ = std::move(offer);
    }
    if (sooner) changed_.notify_all();
  }
  bool recall() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !taking_offer_; });
    return std::exchange(offer_, std::nullopt).has_value();
  }

  void settle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !take_ && !taking_; });
  }

  std::vector<Demand> demands() {
    const std::lock_guard lock(mutex_);
    return std::exchange(demands_, {});
  }
  void await_demand(double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !demands_.empty(); });
  }

 private:
  using Job = std::function<void(ClientSessions&)>;

  /// Not before there is something to record: who is refused must not lose an earlier recording.
  void begin_recording() {
    if (to_record_.empty()) return;
    auto record = std::make_shared<RecordWriter>(std::exchange(to_record_, {}));
    wanted_from_ = 0;
    post([this, record](ClientSessions& sessions) {
      record_ = record;
      sessions.admit(ClientSessions::recorder);
    });
  }

  void post(Job job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
  }
  void wake() {
    {
      const std::lock_guard lock(mutex_);
      woken_ = true;
    }
    changed_.notify_all();
  }

  void tell(Client client, Message text) override { out(client, std::move(text), false); }
  void show(Client client, Message frame) override { out(client, std::move(frame), true); }
  void out(Client client, Message message, bool frame) {
    if (client == ClientSessions::recorder) record(frame, *message);
    else if (frame) server_.show(client, std::move(message));
    else server_.tell(client, std::move(message));
  }
  void record(bool frame, const std::string& message) {
    const bool whole = record_->fault().empty();
    record_->add(frame, message);
    if (!whole || record_->fault().empty()) return;
    const std::lock_guard lock(mutex_);
    cut_ = record_->fault();
  }
  void send_away(Client client) override { server_.send_away(client); }

  void serve() {
    while (turn()) {
    }
  }

  /// Does the work that is due; false at the end.
  bool turn() {
    std::vector<Job> jobs;
    std::function<void(Snapshot&)> take;
    double waited = 0;
    bool shares = true;
    {
      std::unique_lock lock(mutex_);
      const double from = sessions_.sends_from();
      const auto until = [&] { return std::min(from, offer_ ? offer_->from : ClientSessions::never); };
      const auto due = [&] { return ending_ || woken_ || take_ || !jobs_.empty() || until() < wakes_at_; };
      wakes_at_ = until();
      if (wakes_at_ == ClientSessions::never) changed_.wait(lock, due);
      else changed_.wait_for(lock, std::chrono::duration<double>(std::max(0.0, wakes_at_ - seconds())), due);
      wakes_at_ = 0;
      if (ending_ && jobs_.empty()) return false;
      woken_ = false;
      jobs.swap(jobs_);
      take = std::exchange(take_, nullptr);
      waited = waited_, shares = shares_threads_;
      if (!take && offer_ && offer_->from <= seconds()) {
        jobs.push_back([status = offer_->status](ClientSessions& sessions) { sessions.tell(status); });
        take = std::move(offer_->take), taking_offer_ = true, waited = 0;
        offer_.reset();
      }
      taking_ = bool(take);
    }
    try {
      for (const auto& job : jobs) job(sessions_);
      hear();
      if (take) look(take, waited, shares);
      else sessions_.send(seconds());
    } catch (const std::exception&) {
      // A failure, such as missing memory: the next frame may succeed, and the steps continue in any case.
    }
    if (take) taken();
    wanted_from_ = sessions_.wants_from();
    watched_ = sessions_.browsers() > 0;
    if (take) {
      const std::lock_guard lock(mutex_);
      busy_ = bool(take_);
    }
    changed_.notify_all();
    return true;
  }

  void taken() {
    {
      const std::lock_guard lock(mutex_);
      taking_ = taking_offer_ = false;
    }
    changed_.notify_all();
  }

  void hear() {
    for (const auto& event : server_.events()) {
      if (event.what == Event::What::came) sessions_.admit(event.client);
      else if (event.what == Event::What::left) sessions_.dismiss(event.client);
      else if (auto demand = sessions_.hear(event.client, event.text)) {
        const std::lock_guard lock(mutex_);
        demands_.push_back(*demand);
        changed_.notify_all();
      }
    }
  }

  /// Takes the bodies, and sends frames of them. The next ones come when this has cost no more than its
  /// share.
  void look(const std::function<void(Snapshot&)>& take, double waited, bool shares) {
    const double wall = seconds(), work = thread_seconds();
    {
      std::optional<OnThisThread> alone;
      if (shares) alone.emplace();
      take(scenery_.snapshot());
      taken();
      const double now = seconds();
      sessions_.see(scenery_.renew(now), now);
      sessions_.send(seconds());
    }
    const double cost = waited + (shares ? (thread_seconds() - work) / threads() : 0);
    paced_from_ = wall + cost / share_;
    took_ = seconds() - wall;
  }

  double share_;
  ClientSessions sessions_;
  std::filesystem::path to_record_;       ///< when there is something to see
  std::shared_ptr<RecordWriter> record_;  ///< of the thread
  Scenery scenery_;
  std::atomic<double> wanted_from_ = ClientSessions::never, paced_from_ = 0, done_from_ = 0;
  std::atomic<double> took_ = 0;  ///< to make the last frames
  std::atomic<bool> busy_ = false, watched_ = false;
  std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  std::vector<Job> jobs_;
  std::optional<Offer> offer_;
  double wakes_at_ = 0;  ///< unless something changes
  std::function<void(Snapshot&)> take_;
  double waited_ = 0;
  bool shares_threads_ = true, taking_ = false, taking_offer_ = false, woken_ = false, ending_ = false;
  std::vector<Demand> demands_;
  std::string cut_;  ///< why the recording was
  std::thread thread_;
  Server server_;  ///< last: it wakes the thread
};

ViewServer::ViewServer(const ViewServerOptions& options) : thread_(std::make_unique<Thread>(options)) {}
ViewServer::~ViewServer() = default;

std::string ViewServer::url() const { return thread_->url(); }
void ViewServer::open(Setting setting) { thread_->open(std::move(setting)); }
bool ViewServer::watched() const { return thread_->watched(); }
double ViewServer::patience() const { return std::clamp(thread_->wanted_from() - seconds(), 0.0, 1e6); }
bool ViewServer::wants_bodies() const { return thread_->wants(); }
void ViewServer::give(std::function<void(Snapshot&)> take, double waited, bool shares_threads) {
  thread_->give(std::move(take), waited, shares_threads);
}
void ViewServer::offer(std::function<void(Snapshot&)> take, const Status& status, double delay) {
  thread_->offer({.take = std::move(take), .status = status, .from = seconds() + delay});
}
bool ViewServer::recall() { return thread_->recall(); }
void ViewServer::settle() { thread_->settle(); }
void ViewServer::tell(const Diagnostics& row) { thread_->tell(row); }
void ViewServer::tell(const Status& status) { thread_->tell(status); }
void ViewServer::complain(const std::string& message) { thread_->complain(message); }
std::string ViewServer::cut() { return thread_->cut(); }
void ViewServer::close() { thread_->close(); }
std::vector<Demand> ViewServer::demands() { return thread_->demands(); }
void ViewServer::await_demand(double seconds) { thread_->await_demand(seconds); }

}  // namespace pleiad::live
