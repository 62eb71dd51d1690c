import { randomFrom } from "../search/generated-text.mjs"
import { editorCookie } from "./editor-sessions.mjs"
import { TYPISTS } from "./typists/typist.mjs"

// The program of the typists: it holds those of all sides, and lets those of one side type on command.

const TURN_LIMIT_MS = 60_000
const below = randomFrom(11)

/** @type {Map<string, Room>} */
const rooms = new Map()

process.on("message", (order) => {
  obey(order).then(
    (latencies) => process.send?.({ latencies }),
    (error) => process.send?.({ failure: String(error.stack) }),
  )
})
process.on("disconnect", () => process.exit())
// Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on("SIGINT", () => {})

/** @param {import("./typing-load.mjs").TypingOrder} order @returns {Promise<number[]>} */
async function obey({ side, port, room: name, typists, strokes, pauseMs }) {
  const room = rooms.get(side) ?? new Room(side)
  rooms.set(side, room)
  await room.open({ port, name, typists })
  return strokes === 0 ? [] : room.turn(strokes, pauseMs)
}

/** The typists of one side. */
class Room {
  /** @type {import("./typists/typist.mjs").Typist[]} */
  #typists = []
  /** @type {Map<number, Map<number, number>>} the time of each keystroke of each client */
  #typedAt = new Map()
  /** @type {number[]} */
  #latencies = []
  #missing = 0
  #finish = () => {}

  /** @param {import("./typists/typist.mjs").Side} side */
  constructor(side) {
    this.Typist = TYPISTS[side]
  }

  /** @param {{ port: number, name: string, typists: number }} options */
  async open({ port, name, typists }) {
    while (this.#typists.length < typists) {
      const onReceived = this.#receive.bind(this)
      const typist = new this.Typist({ port, room: name, cookie: editorCookie(this.#typists.length), onReceived })
      this.#typists.push(typist)
      await typist.ready
    }
  }

  /**
   * All type at a steady pace, one after the other. Resolves when each has received all keystrokes of the others.
   *
   * @param {number} strokes of each typist
   * @param {number} pauseMs between two of them
   */
  async turn(strokes, pauseMs) {
    const count = this.#typists.length
    this.#latencies = []
    this.#missing = strokes * count * (count - 1)
    const received = new Promise((resolve) => {
      this.#finish = () => resolve(undefined)
    })
    const timers = this.#typists.map((typist, place) =>
      setTimeout(() => this.#typeOn(typist, strokes, pauseMs), (place * pauseMs) / count),
    )
    await within(received, () => `${this.#missing} keystrokes have not arrived`)
    for (const timer of timers) clearTimeout(timer)
    return this.#latencies
  }

  /** @param {import("./typists/typist.mjs").Typist} typist @param {number} strokes @param {number} pauseMs */
  #typeOn(typist, strokes, pauseMs) {
    const typedAt = performance.now()
    const stroke = typist.type(below)
    const times = this.#typedAt.get(typist.client) ?? new Map()
    this.#typedAt.set(typist.client, times.set(stroke, typedAt))
    if (strokes > 1) setTimeout(() => this.#typeOn(typist, strokes - 1, pauseMs), pauseMs)
  }

  /** @param {number} receiver @param {import("./typists/typist.mjs").Strokes} strokes */
  #receive(receiver, { client, from, to }) {
    const times = this.#typedAt.get(client)
    // A server may send a keystroke back to who typed it.
    if (times === undefined || receiver === client) return
    const now = performance.now()
    for (let stroke = from; stroke < to; stroke += 1) {
      this.#latencies.push(now - Number(times.get(stroke)))
      this.#missing -= 1
    }
    if (this.#missing === 0) this.#finish()
  }
}

/** @param {Promise<unknown>} work @param {() => string} otherwise */
async function within(work, otherwise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`After ${TURN_LIMIT_MS / 1000} s ${otherwise()}.`)), TURN_LIMIT_MS)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
