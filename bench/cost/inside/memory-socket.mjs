import { EventEmitter } from "node:events"
import { Duplex } from "node:stream"

/**
 * Opens a connection to a server of this process, without the kernel.
 *
 * @param {import("node:http").Server} server
 * @returns {import("node:net").Socket} the client's side
 */
export function connectInMemory(server) {
  const side = new ServerSide()
  server.emit("connection", side)
  return side.client
}

/** The server's side of a connection. */
class ServerSide extends Duplex {
  client = new ClientSide(this)
  remoteAddress = "127.0.0.1"
  remotePort = 1
  bytesRead = 0
  bytesWritten = 0

  _read() {}

  /** @param {Buffer} chunk @param {string} _encoding @param {() => void} done */
  _write(chunk, _encoding, done) {
    this.bytesWritten += chunk.length
    this.client.emit("data", chunk)
    done()
  }

  /** @param {{ chunk: Buffer }[]} writes @param {() => void} done */
  _writev(writes, done) {
    this._write(Buffer.concat(writes.map(({ chunk }) => chunk)), "", done)
  }

  /** @param {() => void} done */
  _final(done) {
    this.client.emit("end")
    done()
  }

  /** @param {Buffer} chunk */
  receive(chunk) {
    this.bytesRead += chunk.length
    this.push(chunk)
  }

  setTimeout() {
    return this
  }

  setNoDelay() {
    return this
  }

  setKeepAlive() {
    return this
  }

  ref() {
    return this
  }

  unref() {
    return this
  }
}

/** As much of the client's socket as `Connection` uses. */
class ClientSide extends EventEmitter {
  #server

  /** @param {ServerSide} server */
  constructor(server) {
    super()
    this.#server = server
  }

  setNoDelay() {}

  /** @param {Buffer} bytes */
  write(bytes) {
    this.#server.receive(bytes)
  }

  destroy() {
    this.#server.destroy()
  }
}
