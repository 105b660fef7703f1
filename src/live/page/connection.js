// The socket to the server: it reconnects by itself, and reports its state.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

const FIRST = 0.5, LONGEST = 8;  // seconds until it tries again: doubled each time, as a server that starts is soon there

// `heard.text(object)` and `heard.frame(buffer)` get messages; `heard.state("connecting" | "open" | "lost",
// seconds)` is called at changes, with the time until the next attempt.
export class Connection {
  #heard;
  #socket = null;
  #wait = FIRST;
  #timer = 0;

  constructor(heard) {
    this.#heard = heard;
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.retry(); });
    this.#open();
  }

  get open() { return this.#socket?.readyState === WebSocket.OPEN; }

  // Returns whether the message was taken.
  send(message) {
    if (this.open) this.#socket.send(JSON.stringify(message));
    return this.open;
  }

  // Tries at once, if it waits.
  retry() {
    if (this.#timer) this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#heard.state("connecting", 0);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#wait = FIRST;
      this.#heard.state("open", 0);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#heard.text(JSON.parse(data));
      else this.#heard.frame(data);
    };
    socket.onclose = () => {
      this.#heard.state("lost", this.#wait);
      this.#timer = setTimeout(() => this.#open(), 1000 * this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST);
    };
  }
}
