import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { startEmbeddedPostgres } from "../../../packages/kit/src/drivers/embedded-postgres/start.ts"
import { until } from "../until.ts"

/** A PostgreSQL server of this experiment alone, so that it can be killed. It is started again by itself. */
export class OwnPostgres {
  #embedded: Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined
  #directory
  #postmaster = 0

  constructor(folder: string) {
    this.#directory = join(folder, "db")
  }

  /** Returns its connection string. */
  async start(): Promise<string> {
    this.#embedded = await startEmbeddedPostgres({ directory: this.#directory })
    return this.#embedded.url
  }

  /** Ends the server without a shutdown: SIGQUIT is what `pg_ctl restart -m immediate` sends. */
  async kill(signal: "SIGQUIT" | "SIGKILL") {
    // The pid file of a killed server stays until another server replaces it.
    await until(() => this.#read() !== this.#postmaster && existsSync(`/proc/${this.#read()}`))
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
