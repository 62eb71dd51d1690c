import { connectInMemory } from "./memory-socket.mjs"

const EVENT = "event: snapshot"

/** A stream of one live query. */
export class Subscriber {
  onEvent = () => {}

  /** @param {import("node:http").Server} server @param {Uint8Array} request */
  constructor(server, request) {
    const socket = connectInMemory(server)
    this.isReady = new Promise((resolve) => {
      this.onEvent = () => resolve(undefined)
    })
    socket.on("data", (chunk) => {
      if (chunk.includes(EVENT)) this.onEvent()
    })
    socket.write(Buffer.from(request))
  }
}
