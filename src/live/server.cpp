#include "live/server.hpp"

#include "live/gate.hpp"
#include "live/thread.hpp"
#include "live/token.hpp"

#include <pleiad/error.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
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
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t most_clients = 16;
constexpr std::size_t most_requests = 64;  ///< connections that are no client yet
constexpr std::uint32_t most_header_bytes = 8192;
constexpr std::size_t most_fields = 64;
constexpr std::uint64_t most_body_bytes = 65536;
constexpr std::size_t most_said_bytes = 4096;
constexpr std::size_t most_said = 1024;              ///< by one client, not yet taken
constexpr std::size_t most_unread_bytes = 8u << 20;  ///< texts of one client
constexpr seconds to_ask{5}, to_answer{10}, to_leave{2}, idle{30};

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

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

Response response_to(const Verdict& verdict, const Gate& gate) {
  Response response{static_cast<http::status>(verdict.status), 11};
  response.set(http::field::connection, "close");
  response.set(http::field::cache_control, "no-store");
  response.set("Content-Security-Policy",
               "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; base-uri 'none'; "
               "form-action 'none'; frame-ancestors 'none'");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  if (verdict.asset != nullptr) {
    response.set(http::field::content_type, std::string(verdict.asset->type));
    response.body() = verdict.asset->bytes;
  } else {
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    if (!verdict.why.empty()) response.body() = std::string(verdict.why) + "\n";
  }
  if (verdict.sets_cookie) {
    response.set(http::field::location, "/");
    response.set(http::field::set_cookie,
                 fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", gate.cookie_name(), gate.token));
  }
  if (verdict.status == 405) response.set(http::field::allow, "GET");
  response.prepare_payload();
  return response;
}

/// What a server says to a message that is no request.
Verdict refused(error_code error) {
  if (error == http::error::header_limit)
    return {.status = 431, .why = "The fields of the request are too long."};
  if (error == http::error::body_limit) return {.status = 413, .why = "The request is too long."};
  return {.status = 400, .why = "This is no HTTP request."};
}

Verdict judge(const Request& request, const Gate& gate) {
  const auto fields = static_cast<std::size_t>(std::distance(request.begin(), request.end()));
  if (fields > most_fields) return {.status = 431, .why = "The request has too many fields."};
  if (request.count(http::field::host) > 1 || request.count(http::field::origin) > 1)
    return {.status = 400, .why = "A field is there twice."};
  return live::judge({.method = view(request.method_string()),
                      .target = view(request.target()),
                      .host = view(request[http::field::host]),
                      .origin = view(request[http::field::origin]),
                      .cookie = view(request[http::field::cookie]),
                      .token = view(request["X-Pleiad-Token"]),
                      .has_origin = request.count(http::field::origin) > 0,
                      .upgrade = websocket::is_upgrade(request)},
                     gate);
}

/// What the connections need of the server.
class Host {
 public:
  virtual ~Host() = default;
  virtual const Gate& gate() const = 0;
  virtual bool full() const = 0;
  virtual void opened(beast::tcp_stream stream, Request request) = 0;
  virtual void came(Client client) = 0;
  /// False when it has said more than anybody has taken.
  virtual bool said(Client client, std::string text) = 0;
  virtual void left(Client client) = 0;
};

/// One request and its answer.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Host& host) : stream_(std::move(socket)), host_(host) {}

  void start() {
    parser_.header_limit(most_header_bytes);
    parser_.body_limit(most_body_bytes);
    stream_.expires_after(to_ask);
    http::async_read_header(
        stream_, buffer_, parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->asked(error); });
  }
  /// For another one.
  void give_way() { stream_.close(); }

 private:
  void asked(error_code error) {
    // Who has gone, or is still silent, gets no answer.
    const bool is_wrong = error.category() == http::make_error_code(http::error::bad_method).category() &&
                          error != http::error::end_of_stream && error != http::error::partial_message;
    if (is_wrong) return answer(refused(error));
    if (error) return stream_.close();
    auto verdict = judge(parser_.get(), host_.gate());
    // A browser says nothing before the socket is open.
    if (verdict.socket && buffer_.size() > 0) verdict = {.status = 400, .why = "The request is followed."};
    if (verdict.socket && host_.full()) verdict = {.status = 503, .why = "There are too many clients."};
    if (verdict.socket) return host_.opened(std::move(stream_), parser_.release());
    answer(verdict);
  }

  void answer(const Verdict& verdict) {
    response_ = response_to(verdict, host_.gate());
    stream_.expires_after(to_answer);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->stream_.close();
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      self->stream_.expires_after(to_leave);
      self->drain();
    });
  }

  /// What the client still sends: closed before it has read the answer, it might lose that.
  void drain() {
    if (drained_ > most_body_bytes) return stream_.close();
    stream_.async_read_some(net::buffer(rest_), [self = shared_from_this()](error_code error, std::size_t n) {
      if (error) return self->stream_.close();
      self->drained_ += n;
      self->drain();
    });
  }

  beast::tcp_stream stream_;
  Host& host_;
  beast::flat_buffer buffer_{most_header_bytes + 1024};
  http::request_parser<http::empty_body> parser_;
  Response response_;
  std::array<char, 1024> rest_{};
  std::size_t drained_ = 0;
};

/// A client with an open socket.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(beast::tcp_stream stream, Host& host, Client client)
      : socket_(std::move(stream)), host_(host), client_(client) {}

  void start(Request request) {
    request_ = std::move(request);
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(websocket::stream_base::timeout{to_ask, idle, true});
    socket_.read_message_max(most_said_bytes);
    socket_.auto_fragment(false);
    socket_.async_accept(request_, [self = shared_from_this()](error_code error) {
      if (error) return self->leave();
      self->open_ = true;
      self->host_.came(self->client_);
      self->read();
      self->pump();
    });
  }

  void tell(Message text) {
    unread_ += text->size();
    texts_.push_back(std::move(text));
    // Who reads nothing would not read why either.
    if (unread_ > most_unread_bytes) return leave();
    pump();
  }
  void show(Message frame) {
    frame_ = std::move(frame);
    pump();
  }
  void close(websocket::close_code code) {
    closing_ = code;
    pump();
  }
  /// At once.
  void leave() {
    if (std::exchange(gone_, true)) return;
    beast::get_lowest_layer(socket_).close();
    host_.left(client_);
  }

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error || self->gone_) return self->leave();
      if (!self->socket_.got_text() ||
          !self->host_.said(self->client_, beast::buffers_to_string(self->buffer_.data())))
        self->close(websocket::close_code::policy_error);
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void pump() {
    if (!open_ || writing_ || gone_) return;
    const bool text = !texts_.empty();
    if (text) {
      sent_ = std::move(texts_.front());
      texts_.pop_front();
      unread_ -= sent_->size();
    } else if (closing_ != websocket::close_code::none) {
      writing_ = true;
      return socket_.async_close(closing_, [self = shared_from_this()](error_code) { self->leave(); });
    } else if (frame_) {
      sent_ = std::exchange(frame_, nullptr);
    } else {
      return;
    }
    writing_ = true;
    socket_.text(text);
    socket_.async_write(net::buffer(*sent_), [self = shared_from_this()](error_code error, std::size_t) {
      self->writing_ = false;
      self->sent_ = nullptr;
      if (error) return self->leave();
      self->pump();
    });
  }

  websocket::stream<beast::tcp_stream> socket_;
  Host& host_;
  Client client_;
  Request request_;
  beast::flat_buffer buffer_;
  std::deque<Message> texts_;
  std::size_t unread_ = 0;  ///< bytes of them
  Message frame_, sent_;
  websocket::close_code closing_ = websocket::close_code::none;
  bool open_ = false, writing_ = false, gone_ = false;
};

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
      for (const auto& [client, session] : sessions_) session->close(websocket::close_code::going_away);
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
      throw ResourceError(fmt::format("live view: port {} of {} cannot be had: {}", options.port.value_or(0),
                                      options.address.empty() ? "127.0.0.1" : options.address,
                                      e.code().message()));
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
        // A handler has failed, for want of memory: its connection is gone, the others go on.
      }
  }

  void accept(tcp::acceptor& acceptor) {
    acceptor.async_accept([this, &acceptor](error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted || !acceptor.is_open()) return;
      if (error) {  // no descriptors are left, say: perhaps there are later
        auto pause = std::make_shared<net::steady_timer>(context_, milliseconds(200));
        return pause->async_wait([this, pause, &acceptor](error_code) { accept(acceptor); });
      }
      if (!leaves_descriptors(socket.native_handle())) {
        error_code ignored;
        socket.close(ignored);
        return accept(acceptor);
      }
      keep_from_children(socket);
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      make_room();
      auto connection = std::make_shared<Connection>(std::move(socket), *this);
      requests_.push_back(connection);
      connection->start();
      accept(acceptor);
    });
  }

  /// Who has been at its request for longest gives way.
  void make_room() {
    requests_.remove_if([](const auto& connection) { return connection.expired(); });
    while (requests_.size() >= most_requests) {
      if (const auto oldest = requests_.front().lock()) oldest->give_way();
      requests_.pop_front();
    }
  }

  const Gate& gate() const override { return gate_; }
  bool full() const override { return sessions_.size() >= most_clients; }
  void opened(beast::tcp_stream stream, Request request) override {
    const auto client = ++last_;
    const auto session = std::make_shared<Session>(std::move(stream), *this, client);
    sessions_[client] = session;
    session->start(std::move(request));
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
      if (letters.away) session->close(websocket::close_code::policy_error);
    }
  }

  net::io_context context_{1};
  std::list<tcp::acceptor> acceptors_;
  net::steady_timer timer_{context_};
  Gate gate_;
  std::list<std::weak_ptr<Connection>> requests_;
  std::map<Client, std::shared_ptr<Session>> sessions_;
  Client last_ = 0;
  bool ending_ = false;
  std::function<void()> woken_;
  std::mutex mutex_;  ///< of what follows
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
