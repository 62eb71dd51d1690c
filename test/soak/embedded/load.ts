import { setTimeout as wait } from "node:timers/promises"
import type { App } from "./keys-app.ts"

const WRITERS = 4
const PAUSE_MS = 20

/** Writers of unique keys. Each alternates between the two apps. */
export class Load {
  acknowledged: Set<string> = new Set()
  refused: Map<number, number> = new Map()
  unanswered = 0
  tried = 0
  #isOver = false
  readonly #writers

  constructor(apps: readonly App[]) {
    this.#writers = Promise.all(Array.from({ length: WRITERS }, (_, index) => this.#write(apps[index % apps.length])))
  }

  async end() {
    this.#isOver = true
    await this.#writers
  }

  async #write(app: App | undefined) {
    while (!this.#isOver) {
      const key = `key-${this.tried++}`
      const init = { method: "POST", body: JSON.stringify({ key }), headers: { "content-type": "application/json" } }
      const status = await fetch(`${app?.url}/keys`, init).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === 201) this.acknowledged.add(key)
      else if (status === 0) this.unanswered++
      else this.refused.set(status, (this.refused.get(status) ?? 0) + 1)
      if (status !== 201) await wait(PAUSE_MS)
    }
  }
}
