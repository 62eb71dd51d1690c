import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { startEmbeddedPostgres } from "../../packages/kit/dist/drivers/embedded-postgres/start.js"

const LOOK_EVERY_MS = 20
const GIVE_UP_MS = 60_000

/** A PostgreSQL server of this experiment alone, so that it can be killed. It is started again by itself. */
export class OwnPostgres {
  /** @type {Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined} */
  #embedded
  #directory
  #postmaster = 0

  /** @param {string} folder  an empty one, which the account of the server may enter */
  constructor(folder) {
    this.#directory = join(folder, "db")
  }

  /** @returns {Promise<string>} its connection string */
  async start() {
    this.#embedded = await startEmbeddedPostgres({ directory: this.#directory })
    return this.#embedded.url
  }

  /** Ends the server without a shutdown: SIGQUIT is what `pg_ctl restart -m immediate` sends. @param {"SIGQUIT" | "SIGKILL"} signal */
  async kill(signal) {
    const giveUpAt = performance.now() + GIVE_UP_MS
    // The pid file of a killed server stays until another server replaces it.
    while (this.#read() === this.#postmaster || !existsSync(`/proc/${this.#read()}`)) {
      if (performance.now() > giveUpAt) throw new Error("PostgreSQL was not started again.")
      await wait(LOOK_EVERY_MS)
    }
    this.#postmaster = this.#read()
    process.kill(this.#postmaster, signal)
  }

  async release() {
    await this.#embedded?.release()
  }

  #read() {
    const file = join(this.#directory, "data/postmaster.pid")
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0
  }
}
