#include "live/server.hpp"

#include "live/connection.hpp"
#include "live/thread.hpp"
#include "live/token.hpp"

#include <pleiad/error.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>

namespace pleiad::live {
namespace {

namespace net = boost::asio;
using tcp = net::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t most_clients = 16;
constexpr std::size_t most_requests = 64;  ///< connections that are no client yet
constexpr std::size_t most_said = 1024;    ///< by one client, not yet taken

/// Programs that the run starts must not keep sockets open.
template <class Socket>
void keep_from_children(Socket& socket) {
  ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

/// Whether enough descriptors are left for the files of the run: the system gives the lowest that is free.
bool leaves_descriptors(int descriptor) {
  constexpr rlim_t reserved = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return true;
  const rlim_t half = limit.rlim_cur / 2;
  return static_cast<rlim_t>(descriptor) < (half > reserved ? limit.rlim_cur - reserved : half);
}

net::ip::address address_of(const std::string& text) {
  error_code error;
  const auto address = net::ip::make_address(text, error);
  if (error)
    throw UsageError(fmt::format("live view: '{}' is no numeric address such as 192.0.2.7 or ::", text));
  return address;
}

}  // namespace

class Server::Loop : public Host {
 public:
  Loop(const ServerOptions& options, std::function<void()> woken) : woken_(std::move(woken)) {
    gate_.token = options.token.empty() ? new_token() : options.token;
    gate_.frames = options.frames;
    listen(options);
  }

  void start() {
    for (auto& acceptor : acceptors_) accept(acceptor);
    thread_ = started_without_signals([this] { serve(); }, "the server of the live view");
  }

  void stop() {
    net::post(context_, [this] {
      error_code ignored;
      for (auto& acceptor : acceptors_) acceptor.close(ignored);
      for (const auto& connection : requests_)
        if (const auto asking = connection.lock()) asking->give_way();
      deliver();
      for (const auto& [client, session] : sessions_) session->close(Session::Reason::end);
      ending_ = true;
      timer_.expires_after(seconds(1));
      timer_.async_wait([this](error_code) { context_.stop(); });
      if (sessions_.empty()) timer_.cancel();
    });
    if (thread_.joinable()) thread_.join();
  }

  int port() const { return gate_.port; }
  std::string url() const {
    return fmt::format("http://{}:{}/?token={}", gate_.names.front(), gate_.port, gate_.token);
  }

  std::vector<Event> events() {
    const std::lock_guard lock(mutex_);
    said_.clear();
    return std::exchange(events_, {});
  }

  struct Mail {
    std::vector<Message> texts;
    Message frame;
    bool away = false;
  };
  template <class Put>
  void mail(Client client, const Put& put) {
    const std::lock_guard lock(mutex_);
    put(mail_[client]);
    if (std::exchange(posted_, true)) return;
    net::post(context_, [this] { deliver(); });
  }

 private:
  void listen(const ServerOptions& options) {
    const auto bind = [&](int port) {
      if (options.address.empty()) {
        listen_at({net::ip::address_v4::loopback(), static_cast<unsigned short>(port)});
        try {
          listen_at({net::ip::address_v6::loopback(), static_cast<unsigned short>(gate_.port)});
          gate_.names = {"127.0.0.1", "localhost", "[::1]"};
        } catch (const boost::system::system_error&) {
          gate_.names = {"127.0.0.1", "localhost"};  // a machine without IPv6
        }
        return;
      }
      const auto address = address_of(options.address);
      listen_at({address, static_cast<unsigned short>(port)});
      gate_.any_address = address.is_unspecified();
      const auto text = address.is_v6() ? fmt::format("[{}]", address.to_string()) : address.to_string();
      error_code ignored;
      const auto name = net::ip::host_name(ignored);
      gate_.names = {gate_.any_address ? name : text, name, "localhost"};
    };
    try {
      try {
        bind(options.port.value_or(usual_port));
      } catch (const boost::system::system_error&) {
        if (options.port) throw;
        acceptors_.clear();
        bind(0);
      }
    } catch (const boost::system::system_error& e) {
      throw ResourceError(
          fmt::format("live view: port {} of {} cannot be had: {}", options.port.value_or(0),
                      options.address.empty() ? "127.0.0.1" : options.address, e.code().message()),
          Error::Code::in_use);
    }
  }

  void listen_at(const tcp::endpoint& where) {
    tcp::acceptor acceptor(context_);
    acceptor.open(where.protocol());
    keep_from_children(acceptor);
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    if (where.address().is_v6()) acceptor.set_option(net::ip::v6_only(!where.address().is_unspecified()));
    acceptor.bind(where);
    acceptor.listen();
    gate_.port = acceptor.local_endpoint().port();
    acceptors_.push_back(std::move(acceptor));
  }

  void serve() {
    while (true) try {
        context_.run();
        return;
      } catch (const std::exception&) {
        // A handler has failed, for example without memory: its connection is lost, the others continue.
      }
  }

  void accept(tcp::acceptor& acceptor) {
    acceptor.async_accept([this, &acceptor](error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted || !acceptor.is_open()) return;
      if (error) {  // no descriptors are left, for example: there may be some later
        auto pause = std::make_shared<net::steady_timer>(context_, milliseconds(200));
        return pause->async_wait([this, pause, &acceptor](error_code) { accept(acceptor); });
      }
      welcome(std::move(socket));
      accept(acceptor);
    });
  }

  void welcome(tcp::socket socket) {
    if (!leaves_descriptors(socket.native_handle())) return;
    try {
      keep_from_children(socket);
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      make_room();
      requests_.push_back(received(std::move(socket), *this));
    } catch (const std::exception&) {
      // This connection is lost, for example without memory; others may succeed.
    }
  }

  /// Who has been at its request for longest gives way.
  void make_room() {
    requests_.remove_if([](const auto& connection) { return connection.expired(); });
    while (requests_.size() >= most_requests) {
      if (const auto oldest = requests_.front().lock()) oldest->give_way();
      requests_.pop_front();
    }
  }

  const AccessControl& access() const override { return gate_; }
  bool full() const override { return sessions_.size() >= most_clients; }
  Client opened(std::shared_ptr<Session> session) override {
    sessions_[++last_] = std::move(session);
    return last_;
  }
  void came(Client client) override { tell({client, Event::What::came, ""}); }
  bool said(Client client, std::string text) override {
    {
      const std::lock_guard lock(mutex_);
      if (++said_[client] > most_said) return false;
    }
    tell({client, Event::What::said, std::move(text)});
    return true;
  }
  void left(Client client) override {
    sessions_.erase(client);
    tell({client, Event::What::left, ""});
    if (ending_ && sessions_.empty()) timer_.cancel();
  }
  void tell(Event event) {
    {
      const std::lock_guard lock(mutex_);
      if (event.what == Event::What::left) mail_.erase(event.client);
      events_.push_back(std::move(event));
    }
    if (woken_) woken_();
  }

  void deliver() {
    std::map<Client, Mail> mail;
    {
      const std::lock_guard lock(mutex_);
      mail.swap(mail_);
      posted_ = false;
    }
    for (auto& [client, letters] : mail) {
      const auto found = sessions_.find(client);
      if (found == sessions_.end()) continue;
      const auto session = found->second;
      for (auto& text : letters.texts) session->tell(std::move(text));
      if (letters.frame) session->show(std::move(letters.frame));
      if (letters.away) session->close(Session::Reason::rules);
    }
  }

  net::io_context context_{1};
  std::list<tcp::acceptor> acceptors_;
  net::steady_timer timer_{context_};
  AccessControl gate_;
  std::list<std::weak_ptr<HttpRequest>> requests_;
  std::map<Client, std::shared_ptr<Session>> sessions_;
  Client last_ = 0;
  bool ending_ = false;
  std::function<void()> woken_;
  std::mutex mutex_;  ///< guards the members below
  std::map<Client, Mail> mail_;
  std::map<Client, std::size_t> said_;  ///< messages not yet taken
  std::vector<Event> events_;
  bool posted_ = false;
  std::thread thread_;
};

Server::Server(const ServerOptions& options, std::function<void()> woken)
    : loop_(std::make_unique<Loop>(options, std::move(woken))) {
  loop_->start();
}
Server::~Server() { loop_->stop(); }

int Server::port() const { return loop_->port(); }
std::string Server::url() const { return loop_->url(); }
std::vector<Event> Server::events() { return loop_->events(); }
void Server::tell(Client client, Message text) {
  loop_->mail(client, [&](Loop::Mail& mail) { mail.texts.push_back(std::move(text)); });
}
void Server::show(Client client, Message frame) {
  loop_->mail(client, [&](Loop::Mail& mail) { mail.frame = std::move(frame); });
}
void Server::send_away(Client client) {
  loop_->mail(client, [&](Loop::Mail& mail) { mail.away = true; });
}

}  // namespace pleiad::live
