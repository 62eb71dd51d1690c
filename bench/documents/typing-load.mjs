import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/**
 * @typedef {{ side: import("./typists/typist.mjs").Side, port: number, room: string, typists: number, strokes: number,
 *   pauseMs: number }} TypingOrder  so many typists are to be there, then each types so many letters
 */

const PROGRAM = fileURLToPath(new URL("./typing-process.mjs", import.meta.url))

/** Types from a separate process, so that its work does not delay the harness. */
export class TypingLoad {
  #child = fork(PROGRAM, { serialization: "advanced" })
  #exit = once(this.#child, "exit").then(() => [{ failure: "The typists ended early." }])

  /** @param {TypingOrder} order @returns {Promise<number[]>} the milliseconds from each keystroke to each other typist */
  async run(order) {
    const message = once(this.#child, "message")
    this.#child.send(order)
    const [{ latencies, failure }] = await Promise.race([message, this.#exit])
    if (failure !== undefined) throw new Error(failure)
    return latencies
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.disconnect()
    await this.#exit
  }
}
