import * as Y from "yjs"
import { openEventStream } from "./open-event-stream.mjs"
import { post } from "./post.mjs"

const UPDATE_LENGTH = updateLength()

/** Sends events to a channel of kit, each as large as the update of one letter. */
export class ChannelTypist {
  client = 0
  #clock = 0
  /** @type {string[]} */
  #pending = []
  #isSending = false
  #port
  #cookie
  #close

  /** @param {import("./typist.mjs").TypistOptions} options */
  constructor({ port, cookie, onReceived }) {
    // A document only for its number, which is as long as those of the other side.
    this.client = new Y.Doc().clientID
    this.#port = port
    this.#cookie = cookie
    const channels = [{ id: "c", channel: "strokes" }]
    this.ready = new Promise((resolve, reject) => {
      const onEvent = (
        /** @type {string} */ name,
        /** @type {import("./open-event-stream.mjs").EventData} */ event,
      ) => {
        if (name === "error") reject(new Error(`The channel was refused: ${JSON.stringify(event)}`))
        if (name === "subscribed") resolve(undefined)
        if (name !== "channel") return
        const { client, clock } = event.data
        onReceived(this.client, { client, from: clock, to: clock + 1 })
      }
      this.#close = openEventStream({ port, cookie, body: { topics: [], channels }, onEvent })
    })
  }

  /** Returns the number of the event. */
  type() {
    const stroke = this.#clock++
    void this.#send(JSON.stringify(eventOf(this.client, stroke)))
    return stroke
  }

  close() {
    this.#close?.()
  }

  /** One request at a time, as for documents. @param {string} body */
  async #send(body) {
    this.#pending.push(body)
    if (this.#isSending) return
    this.#isSending = true
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      await post({ port: this.#port, path: "/stroke", cookie: this.#cookie, type: "application/json", body: next })
    }
    this.#isSending = false
  }
}

/** Returns the data of an event that is as long, in JSON, as an update in base64. @param {number} client @param {number} clock */
function eventOf(client, clock) {
  const event = { client, clock, text: "" }
  return { ...event, text: "x".repeat(Math.max(1, UPDATE_LENGTH - JSON.stringify(event).length)) }
}

/** Returns the length of an update with one letter, in base64. */
function updateLength() {
  const doc = new Y.Doc()
  doc.getText("body").insert(0, "some text")
  const before = Y.encodeStateVector(doc)
  doc.getText("body").insert(4, "x")
  return Buffer.from(Y.encodeStateAsUpdate(doc, before)).toString("base64").length
}
