import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** A program that starts and stops on command, in its own process, so that its work does not delay the others. */
export class Worker {
  #child
  #exit

  /** @param {string} file */
  constructor(file) {
    this.#child = fork(fileURLToPath(new URL(file, import.meta.url)), { serialization: "advanced" })
    this.#exit = once(this.#child, "exit").then(() => {
      throw new Error(`${file} ended early.`)
    })
    this.#exit.catch(() => {})
  }

  /** @param {object} order */
  async begin(order) {
    await this.#tell({ begin: order })
  }

  /** Returns its figures since the start. */
  end() {
    return this.#tell({ end: true })
  }

  async stop() {
    if (this.#child.connected) this.#child.disconnect()
    await this.#exit.catch(() => {})
  }

  /** @param {object} message */
  async #tell(message) {
    const answer = once(this.#child, "message")
    this.#child.send(message)
    const [{ figures }] = await Promise.race([answer, this.#exit])
    return figures
  }
}
