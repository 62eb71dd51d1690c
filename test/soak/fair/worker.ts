import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { TYPESCRIPT_ARGUMENTS } from "../../support/processes/typescript-program.ts"

/** A program that starts and stops on command, in its own process, so that its work does not delay the others. */
export class Worker {
  #child
  #exit

  constructor(file: string) {
    this.#child = fork(fileURLToPath(new URL(file, import.meta.url)), {
      serialization: "advanced",
      execArgv: [...TYPESCRIPT_ARGUMENTS],
    })
    this.#exit = once(this.#child, "exit").then(() => {
      throw new Error(`${file} ended early.`)
    })
    this.#exit.catch(() => {})
  }

  async begin(order: object) {
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

  async #tell(message: object) {
    const answer = once(this.#child, "message")
    this.#child.send(message)
    const [{ figures }] = await Promise.race([answer, this.#exit])
    return figures
  }
}
