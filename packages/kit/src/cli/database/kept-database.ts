import { chooseDatabase } from "../../app/config/defaults.ts"

type Release = () => Promise<void>

/**
 * Keeps the embedded database running while `kit dev` restarts an app. It joins the database again after every start of
 * the app, because the app may have started a new database server.
 */
export class KeptDatabase {
  readonly #root: string
  #release: Promise<Release> = Promise.resolve(nothing)

  constructor(root: string) {
    this.#root = root
  }

  /** Joins the embedded database that the running app uses, so that the database outlives the app. */
  join(): void {
    const before = this.#release
    this.#release = chooseDatabase({ config: {}, root: this.#root }).then(
      ({ release }) => release,
      // A failure is ignored, because keeping the database only saves time: the next app process would start it itself.
      () => nothing,
    )
    void this.#release.then(async () => (await before)())
  }

  async release(): Promise<void> {
    const release = await this.#release
    await release()
  }
}

async function nothing(): Promise<void> {}
