import { OutageError } from "../../engine/database/outage.ts"
import type { HealthDependencies } from "./health.ts"

/** Decides whether this process should get requests: the database must answer, and the process must not be stopping. */
export class Readiness implements HealthDependencies {
  readonly #checkDatabase: HealthDependencies["checkReady"]
  #isStopping = false

  constructor(checkDatabase: HealthDependencies["checkReady"]) {
    this.#checkDatabase = checkDatabase
  }

  /** The process is about to stop: it is not ready any more, although it still serves requests. */
  end(): void {
    this.#isStopping = true
  }

  async checkReady(): Promise<readonly string[]> {
    if (this.#isStopping) throw new OutageError({ reason: "stopping", message: "This process is about to stop." })
    return await this.#checkDatabase()
  }
}
