import { Connection } from "../../harness/connection.mjs"
import { connectInMemory } from "./memory-socket.mjs"

/** Sends requests through one connection, each when the operation of the one before is over. */
export class RequestSender {
  #connection
  #requests
  #subscriber
  #next = 0
  /** How long each operation is given to come to rest; at least as long as it has taken. 0 means not at all. */
  pauseMs = 0

  /**
   * @param {import("node:http").Server} server
   * @param {Uint8Array[]} requests they are sent in turn
   * @param {import("./subscriber.mjs").Subscriber} [subscriber] an operation is over when the stream has seen it
   */
  constructor(server, requests, subscriber) {
    this.#connection = new Connection(connectInMemory(server))
    this.#requests = requests.map((request) => Buffer.from(request))
    this.#subscriber = subscriber
  }

  /**
   * Resolves when so many operations are over. `afterEach` is called after each. No promise is made for a single
   * request, because promises are counted.
   *
   * @param {number} count
   * @param {() => void} [afterEach]
   * @returns {Promise<void>}
   */
  run(count, afterEach = () => {}) {
    return new Promise((resolve, reject) => {
      let left = count
      let missing = 0
      let sentAt = 0
      const begin = () => {
        missing = this.#subscriber === undefined ? 1 : 2
        sentAt = performance.now()
        this.#send()
      }
      const end = () => {
        afterEach()
        left -= 1
        if (left > 0) begin()
        else resolve()
      }
      const note = () => {
        missing -= 1
        if (missing > 0) return
        // Later, because the server has not finished with the request.
        if (this.pauseMs === 0) setImmediate(end)
        else setTimeout(end, Math.max(this.pauseMs, performance.now() - sentAt))
      }
      this.#connection.onFailure = reject
      this.#connection.onAnswer = note
      if (this.#subscriber) this.#subscriber.onEvent = note
      begin()
    })
  }

  #send() {
    const request = this.#requests[this.#next % this.#requests.length]
    this.#next += 1
    this.#connection.send(request)
  }
}
