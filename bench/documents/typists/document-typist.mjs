import * as encoding from "lib0/encoding"
import * as Y from "yjs"
import { openEventStream } from "./open-event-stream.mjs"
import { post } from "./post.mjs"

const REMOTE = Symbol("from the server")

/** Types into a document of kit: one stream, and one request at a time that holds all that was typed since the last. */
export class DocumentTypist {
  doc = new Y.Doc()
  /** @type {Uint8Array[]} */
  #pending = []
  #isSending = false
  #sent = Promise.resolve()
  #port
  #recordId
  #cookie
  #epoch = ""
  #close

  /** @param {import("./typist.mjs").TypistOptions} options */
  constructor({ port, room, cookie, onReceived }) {
    this.#port = port
    this.#recordId = room
    this.#cookie = cookie
    this.doc.on("update", (update, origin) => {
      if (origin !== REMOTE) this.#push(update)
      else if (this.isReady) for (const stroke of strokesIn(update)) onReceived(this.client, stroke)
    })
    this.isReady = false
    const documents = [{ id: "d", resourceType: "collection", resource: "notes", recordId: room, field: "body" }]
    this.ready = new Promise((resolve, reject) => {
      const onEvent = (/** @type {string} */ name, /** @type {import("./open-event-stream.mjs").EventData} */ data) => {
        if (name === "error") reject(new Error(`The document was refused: ${JSON.stringify(data)}`))
        if (name !== "document" && name !== "edit") return
        if (name === "document") this.#epoch = data.epoch
        Y.applyUpdate(this.doc, Buffer.from(data.update, "base64"), REMOTE)
        this.isReady = true
        resolve(undefined)
      }
      this.#close = openEventStream({ port, cookie, body: { topics: [], documents }, onEvent })
    })
  }

  get client() {
    return this.doc.clientID
  }

  /** Types one letter somewhere. Returns the number of the keystroke. @param {(bound: number) => number} below */
  type(below) {
    return typeInto(this.doc, below)
  }

  close() {
    this.#close?.()
  }

  /** Resolves when all that was typed is acknowledged. */
  acknowledged() {
    return this.#sent
  }

  /** @param {Uint8Array} update */
  #push(update) {
    this.#pending.push(update)
    if (!this.#isSending) this.#sent = this.#sendAll()
  }

  async #sendAll() {
    this.#isSending = true
    while (this.#pending.length > 0) {
      const body = bodyOf(Y.mergeUpdates(this.#pending.splice(0)))
      const path = `/crdt/notes/${this.#recordId}/body/updates?epoch=${this.#epoch}`
      await post({ port: this.#port, path, cookie: this.#cookie, type: "application/octet-stream", body })
    }
    this.#isSending = false
  }
}

/** Types one letter somewhere. Returns the number of the keystroke. @param {Y.Doc} doc @param {(bound: number) => number} below */
export function typeInto(doc, below) {
  const stroke = Y.getState(doc.store, doc.clientID)
  const text = doc.getText("body")
  text.insert(below(text.length + 1), "x")
  return stroke
}

/** Returns who typed what is in an update: the client, and the numbers of its keystrokes. @param {Uint8Array} update */
export function strokesIn(update) {
  const { from, to } = Y.parseUpdateMeta(update)
  return [...to].map(([client, end]) => ({ client, from: from.get(client) ?? 0, to: end }))
}

/** Returns the body of a request: the update, and no cursors. @param {Uint8Array} update */
export function bodyOf(update) {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint8Array(encoder, update)
  encoding.writeVarUint8Array(encoder, new Uint8Array())
  return encoding.toUint8Array(encoder)
}
