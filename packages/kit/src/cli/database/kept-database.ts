import { chooseDatabase } from "../../app/config/defaults.ts"

type Release = () => Promise<void>

/** Keeps the embedded database running between two starts of an app; each time anew, as it may be another one. */
export class KeptDatabase {
  readonly #root: string
  #release: Promise<Release> = Promise.resolve(nothing)

  constructor(root: string) {
    this.#root = root
  }

  /** To be called while the app runs: joins the database that it uses. */
  keep(): void {
    const before = this.#release
    this.#release = chooseDatabase({ config: {}, root: this.#root }).then(
      ({ release }) => release,
      // It only saves time: the app starts one by itself.
      () => nothing,
    )
    void this.#release.then(async () => (await before)())
  }

  async letGo(): Promise<void> {
    const release = await this.#release
    await release()
  }
}

async function nothing(): Promise<void> {}
