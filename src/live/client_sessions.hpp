/// Connected clients: the settings and the capacity of each, and the frames that are sent to it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/command.hpp"
#include "live/messages.hpp"
#include "live/picture.hpp"
#include "live/points.hpp"
#include "live/server.hpp"
#include "live/view_server.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::live {

/// The receiver of messages.
class MessageSink {
 public:
  virtual ~MessageSink() = default;
  virtual void tell(Client client, Message text) = 0;
  virtual void show(Client client, Message frame) = 0;
  virtual void send_away(Client client) = 0;
};

/// Times are seconds of one clock.
class ClientSessions {
 public:
  /// The client that draws nothing and takes all, for a recording; its rates.
  static constexpr Client recorder = 0;
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr double recorded_bytes_per_second = 4e6, recorded_frames_per_second = 20;
  /// Frames on their way to a client, sent and not yet drawn.
  static constexpr std::size_t most_unseen = 2;

  /// More than `most_points` bodies are shown as pictures.
  explicit ClientSessions(MessageSink& sink, std::size_t most_points = most_as_points)
      : sink_(sink), most_points_(most_points) {}

  void open(Setting setting);
  void admit(Client client);
  void dismiss(Client client) { clients_.erase(client); }
  /// Browsers, without the recorder.
  std::size_t browsers() const { return clients_.size() - clients_.count(recorder); }
  /// Handles a message of a client. Returns a demand that concerns the run.
  std::optional<Demand> hear(Client client, const std::string& text);

  void tell(const Diagnostics& row);
  void tell(const Status& status);
  /// Reports a failure to all browsers.
  void complain(const std::string& message);

  /// There are new bodies. The scene stays as it is until the next call.
  void see(const Scene& scene, double now);
  /// Sends a frame to each client that has capacity for one and has not received this state of the scene.
  void send(double now);
  /// The time at which a client will need newer bodies; infinite: none will.
  double wants_from() const;
  /// The time at which a client will have capacity for a frame of this scene; infinite: none will.
  double sends_from() const;

 private:
  /// Identifies the points of a key frame and of the deltas after it.
  struct Named {
    std::uint32_t sequence = 0;
    std::uint64_t generation = 0;
    std::uint16_t stride = 1;
    std::shared_ptr<const std::vector<std::uint32_t>> bodies{};  ///< of the points of a picture
  };
  struct ClientState {
    double bytes_per_second = 20e6, frames_per_second = 30;
    Colour colour = Colour::type;
    std::optional<Camera> camera{};
    PointCoder coder{};
    std::uint32_t sequence = 0;
    std::deque<std::uint32_t> unseen{};
    std::deque<Named> named{};  ///< the last key frames
    double room_from = 0;
    std::uint64_t scene = 0;                       ///< that was sent last
    bool refresh = true, key = true;               ///< it must be sent again, as a key frame
    std::map<std::uint32_t, std::size_t> picks{};  ///< bodies by request
    std::optional<std::uint32_t> followed{};       ///< a request
    bool binaries = false;                         ///< told with each frame
  };

  std::optional<Demand> obey(Client client, ClientState& state, const Command& command);
  std::optional<std::size_t> body_of(const Named& frame, const Pick& pick) const;
  void pick(Client client, ClientState& state, const Pick& pick);
  bool waits(const ClientState& state) const { return state.unseen.size() < most_unseen; }
  double bytes_until_next(const ClientState& state) const;
  std::uint16_t stride_of(const ClientState& state) const;
  std::string picture_for(ClientState& state, std::uint32_t sequence) const;
  const std::string& binaries_now();
  void send_frame(Client client, ClientState& state, double now);
  void tell(Client client, std::string text);
  void tell_all(std::string text);

  MessageSink& sink_;
  std::size_t most_points_;
  std::optional<Setting> setting_;
  std::vector<Diagnostics> rows_;
  std::uint64_t every_row_ = 1, rows_seen_ = 0;  ///< of the rows that are kept
  std::string status_;
  std::map<Client, ClientState> clients_;
  Scene scene_;
  std::uint64_t scenes_ = 0;
  std::string binaries_;                   ///< a message
  std::uint64_t binaries_of_ = 0;          ///< the scene that it is of
  double seen_at_ = 0, interval_ = 0;      ///< of scenes
  std::map<std::uint64_t, Scene> orders_;  ///< of the last generations, for picks
};

}  // namespace pleiad::live
