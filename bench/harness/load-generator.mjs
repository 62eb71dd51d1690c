import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/**
 * @typedef {{ row: string, side: import("./rows.mjs").Side, port: number, from: number, count: number }} Batch
 *   `from` is the index of the first call: the same batch is the same calls.
 * @typedef {{ seconds: number, latencies: Float64Array }} Figures
 */

const PROGRAM = fileURLToPath(new URL("./load-process.mjs", import.meta.url))

/** Sends load from a separate process, so that its work does not delay the harness. */
export class LoadGenerator {
  #child = fork(PROGRAM, { serialization: "advanced" })
  #exit = once(this.#child, "exit").then(() => [{ failure: "The load generator ended early." }])

  /** @param {Batch} batch @returns {Promise<Figures>} */
  async run(batch) {
    const message = once(this.#child, "message")
    this.#child.send(batch)
    const [{ figures, failure }] = await Promise.race([message, this.#exit])
    if (failure !== undefined) throw new Error(`${batch.row} on ${batch.side}: ${failure}`)
    return figures
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.disconnect()
    await this.#exit
  }
}
