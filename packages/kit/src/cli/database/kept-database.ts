import { chooseDatabase } from "../../app/config/defaults.ts"

type Release = () => Promise<void>

/** Keeps the embedded database running between starts of an app. Joins it again each time, as it may be another one. */
export class KeptDatabase {
  readonly #root: string
  #release: Promise<Release> = Promise.resolve(nothing)

  constructor(root: string) {
    this.#root = root
  }

  /** Joins the database that the running app uses. */
  join(): void {
    const before = this.#release
    this.#release = chooseDatabase({ config: {}, root: this.#root }).then(
      ({ release }) => release,
      // Keeping it only saves time: without it, the app starts the database itself.
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
