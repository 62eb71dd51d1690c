import { connect } from "node:net"

const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i
const HEAD_END = "\r\n\r\n"
const STATUS_AT = 9
const NOTHING = Buffer.alloc(0)

/**
 * One HTTP/1.1 connection that sends the next request when the last one is answered. It reads status and length and
 * skips the body: on a small machine, the servers lose the CPU time that the load generator spends.
 */
export class Connection {
  #socket
  #unread = NOTHING
  #missingBytes = 0
  /** The time at which the pending request was sent. */
  sentAt = 0
  /** @type {() => void} */
  onAnswer = () => {}
  /** @type {(error: Error) => void} */
  onFailure = () => {}

  /** @param {import("node:net").Socket} socket */
  constructor(socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on("data", (chunk) => this.#receive(chunk))
    socket.on("error", (error) => this.onFailure(error))
    socket.on("end", () => this.onFailure(new Error("The server closed the connection.")))
  }

  /** @param {Buffer} request */
  send(request) {
    this.sentAt = performance.now()
    this.#socket.write(request)
  }

  close() {
    this.onFailure = () => {}
    this.#socket.destroy()
  }

  /** @param {Buffer} chunk */
  #receive(chunk) {
    if (this.#missingBytes > 0) this.#missingBytes -= chunk.length
    else if (!this.#readHead(chunk)) return
    if (this.#missingBytes === 0) this.onAnswer()
    if (this.#missingBytes < 0) this.onFailure(new Error("The server sent more than it announced."))
  }

  /** Returns false while the head is incomplete, and if the status is not a success. @param {Buffer} chunk */
  #readHead(chunk) {
    const bytes = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
    const end = bytes.indexOf(HEAD_END)
    this.#unread = end < 0 ? bytes : NOTHING
    if (end < 0) return false
    const head = bytes.latin1Slice(0, end)
    const length = CONTENT_LENGTH.exec(head)
    if (head[STATUS_AT] !== "2" || length === null) {
      this.onFailure(new Error(`Expected a success with a content-length:\n${bytes.subarray(0, 2000)}`))
      return false
    }
    this.#missingBytes = Number(length[1]) - (bytes.length - end - HEAD_END.length)
    return true
  }
}

/** @param {number} port @returns {Promise<Connection>} */
export function openConnection(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port })
    socket.once("error", reject)
    socket.once("connect", () => {
      socket.off("error", reject)
      resolve(new Connection(socket))
    })
  })
}
