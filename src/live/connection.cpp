#include "live/connection.hpp"

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <utility>

#include <fmt/format.h>

namespace pleiad::live {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using boost::system::error_code;
using std::chrono::seconds;

constexpr std::uint32_t most_header_bytes = 8192;
constexpr std::size_t most_fields = 64;
constexpr std::uint64_t most_body_bytes = 65536;
constexpr std::size_t most_said_bytes = 4096;
constexpr std::size_t most_unread_bytes = 8u << 20;  ///< texts of one client
constexpr seconds to_ask{5}, to_answer{10}, to_leave{2}, idle{30};

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

Response response_to(const Verdict& verdict, const AccessControl& access) {
  Response response{static_cast<http::status>(verdict.status), 11};
  response.set(http::field::connection, "close");
  response.set(http::field::cache_control, "no-store");
  response.set("Content-Security-Policy",
               fmt::format("default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; base-uri "
                           "'none'; form-action 'none'; frame-ancestors {}",
                           access.frames ? "http://localhost:* http://127.0.0.1:*" : "'none'"));
  response.set("X-Content-Type-Options", "nosniff");
  if (!access.frames) response.set("X-Frame-Options", "DENY");  // which knows no list of origins
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
                 fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", access.cookie_name(), access.token));
  }
  if (verdict.status == 405) response.set(http::field::allow, "GET");
  response.prepare_payload();
  return response;
}

/// The answer of the server to a message that is no valid request.
Verdict refused(error_code error) {
  if (error == http::error::header_limit)
    return {.status = 431, .why = "The fields of the request are too long."};
  if (error == http::error::body_limit) return {.status = 413, .why = "The request is too long."};
  return {.status = 400, .why = "This is no HTTP request."};
}

Verdict judge(const Request& request, const AccessControl& access) {
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
                     access);
}

/// A WebSocket.
class Socket : public Session, public std::enable_shared_from_this<Socket> {
 public:
  Socket(beast::tcp_stream stream, Host& host) : socket_(std::move(stream)), host_(host) {}

  void start(Request request) {
    request_ = std::move(request);
    client_ = host_.opened(shared_from_this());
    guarded([&] { accept(); });
  }

  void tell(Message text) override {
    guarded([&] {
      unread_ += text->size();
      texts_.push_back(std::move(text));
      // Who reads nothing would not read why either.
      if (unread_ > most_unread_bytes) return leave();
      pump();
    });
  }
  void show(Message frame) override {
    frame_ = std::move(frame);
    guarded([&] { pump(); });
  }
  void close(Reason reason) override {
    closing_ =
        reason == Reason::end ? websocket::close_code::going_away : websocket::close_code::policy_error;
    guarded([&] { pump(); });
  }
  void leave() override {
    if (std::exchange(gone_, true)) return;
    beast::get_lowest_layer(socket_).close();
    host_.left(client_);
  }

 private:
  /// A failure, such as missing memory, ends this connection only.
  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (const std::exception&) {
      leave();
    }
  }

  void accept() {
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(websocket::stream_base::timeout{to_ask, idle, true});
    socket_.read_message_max(most_said_bytes);
    socket_.auto_fragment(false);
    socket_.async_accept(request_, [self = shared_from_this()](error_code error) {
      if (error) return self->leave();
      self->guarded([&] {
        self->open_ = true;
        self->host_.came(self->client_);
        self->read();
        self->pump();
      });
    });
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error || self->gone_) return self->leave();
      self->guarded([&] {
        if (!self->socket_.got_text() ||
            !self->host_.said(self->client_, beast::buffers_to_string(self->buffer_.data())))
          self->close(Reason::rules);
        self->buffer_.consume(self->buffer_.size());
        self->read();
      });
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
      self->guarded([&] { self->pump(); });
    });
  }

  websocket::stream<beast::tcp_stream> socket_;
  Host& host_;
  Client client_ = 0;
  Request request_;
  beast::flat_buffer buffer_;
  std::deque<Message> texts_;
  std::size_t unread_ = 0;  ///< bytes of them
  Message frame_, sent_;
  websocket::close_code closing_ = websocket::close_code::none;
  bool open_ = false, writing_ = false, gone_ = false;
};

/// One request and its answer.
class Connection : public HttpRequest, public std::enable_shared_from_this<Connection> {
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
  void give_way() override { stream_.close(); }

 private:
  void asked(error_code error) {
    // Who has gone, or is still silent, gets no answer.
    const bool is_wrong = error.category() == http::make_error_code(http::error::bad_method).category() &&
                          error != http::error::end_of_stream && error != http::error::partial_message;
    if (is_wrong) return answer(refused(error));
    if (error) return stream_.close();
    auto verdict = judge(parser_.get(), host_.access());
    // A browser sends nothing before the socket is open.
    if (verdict.socket && buffer_.size() > 0) verdict = {.status = 400, .why = "The request is followed."};
    if (verdict.socket && host_.full()) verdict = {.status = 503, .why = "There are too many clients."};
    if (verdict.socket) return std::make_shared<Socket>(std::move(stream_), host_)->start(parser_.release());
    answer(verdict);
  }

  void answer(const Verdict& verdict) {
    response_ = response_to(verdict, host_.access());
    stream_.expires_after(to_answer);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->stream_.close();
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      self->stream_.expires_after(to_leave);
      self->drain();
    });
  }

  /// Reads the rest of the client's data: if the connection were closed before, the client might lose the
  /// answer.
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

}  // namespace

std::shared_ptr<HttpRequest> received(tcp::socket socket, Host& host) {
  const auto connection = std::make_shared<Connection>(std::move(socket), host);
  connection->start();
  return connection;
}

}  // namespace pleiad::live
