/// A server whose handlers fail loses the connection that was handled, and no other.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "live/server.hpp"

#include "core/clock.hpp"

#include <atomic>
#include <chrono>
#include <new>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

using namespace pleiad;
using namespace pleiad::live;

namespace {

constexpr const char* token = "0123456789abcdef0123456789abcdef";

/// A WebSocket made of a plain socket.
class Browser {
 public:
  explicit Browser(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in where{};
    where.sin_family = AF_INET, where.sin_port = htons(static_cast<std::uint16_t>(port));
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) return;
    write(fmt::format(
        "GET /live HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        "X-Pleiad-Token: {}\r\n\r\n",
        port, token));
    while (!head_.ends_with("\r\n\r\n") && read(1) == 1) head_ += last_;
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser() { ::close(socket_); }

  bool open() const { return head_.starts_with("HTTP/1.1 101"); }
  /// A masked text of at most 125 bytes.
  void say(const std::string& text) {
    std::string frame{static_cast<char>(0x81), static_cast<char>(0x80 | text.size()), 0, 0, 0, 0};
    write(frame + text);
  }
  /// The payload of the next short frame; "" when the server has gone.
  std::string next() {
    if (read(2) != 2) return "";
    const auto size = static_cast<std::size_t>(last_[1]);
    return read(size) == size ? last_ : "";
  }

 private:
  void write(const std::string& bytes) { (void)::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  std::size_t read(std::size_t count) {
    last_.resize(count);
    const auto got = ::recv(socket_, last_.data(), count, MSG_WAITALL);
    last_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return last_.size();
  }

  int socket_;
  std::string head_, last_;
};

class ServerTest : public testing::Test {
 protected:
  /// The next event of this kind, within two minutes; client 0: none.
  Client client_of(Event::What what) {
    for (const double end = seconds() + 120; seconds() < end;) {
      for (const auto& event : server.events())
        if (event.what == what) return event.client;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return 0;
  }
  void expect_service() {
    Browser well(server.port());
    ASSERT_TRUE(well.open());
    const auto client = client_of(Event::What::came);
    ASSERT_NE(client, 0U);
    server.tell(client, std::make_shared<const std::string>("hello"));
    EXPECT_EQ(well.next(), "hello");
  }

  std::atomic<int> failures = 0;  ///< of the next calls
  Server server{{.port = 0, .token = token}, [this] {
                  if (failures > 0 && failures-- > 0) throw std::bad_alloc();
                }};
};

TEST_F(ServerTest, AHandlerThatFailsWhenAClientComesCostsThatClient) {
  failures = 1;
  Browser lost(server.port());
  EXPECT_TRUE(lost.open());
  EXPECT_EQ(lost.next(), "");
  EXPECT_NE(client_of(Event::What::left), 0U);
  expect_service();
}

TEST_F(ServerTest, AHandlerThatFailsWhenAClientSpeaksCostsThatClient) {
  Browser lost(server.port());
  ASSERT_EQ(client_of(Event::What::came), 1U);
  Browser other(server.port());
  ASSERT_EQ(client_of(Event::What::came), 2U);
  failures = 2;  // and when it is told of
  lost.say("{}");
  EXPECT_EQ(lost.next(), "");
  server.tell(2, std::make_shared<const std::string>("you stay"));
  EXPECT_EQ(other.next(), "you stay");
  expect_service();
}

}  // namespace
