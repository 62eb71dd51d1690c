import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/**
 * @typedef {{ port: number, subscribers: number, writes: number, atOnce: boolean }} LiveOrder
 *   so many subscribers are to be there, then so many posts are written: in succession, or each after all have seen the last
 */

const PROGRAM = fileURLToPath(new URL("./live-load-process.mjs", import.meta.url))

/** Subscribes and writes from a separate process, so that its work does not delay the harness. */
export class LiveLoad {
  #child = fork(PROGRAM, { serialization: "advanced" })
  #exit = once(this.#child, "exit").then(() => [{ failure: "The live load ended early." }])

  /** The id of the process. */
  get pid() {
    return Number(this.#child.pid)
  }

  /** @param {LiveOrder} order @returns {Promise<import("./load-generator.mjs").Figures>} */
  async run(order) {
    const message = once(this.#child, "message")
    this.#child.send(order)
    const [{ figures, failure }] = await Promise.race([message, this.#exit])
    if (failure !== undefined) throw new Error(failure)
    return figures
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.disconnect()
    await this.#exit
  }
}
