// The part of the browser's `document` that this file uses; undefined outside of browsers.
declare const document: Page | undefined

interface Page {
  readonly visibilityState: string
  addEventListener(name: "visibilitychange", listener: () => void): void
  removeEventListener(name: "visibilitychange", listener: () => void): void
}

const PATIENCE_MS = 30_000

/** Reports when the page has been hidden for 30 s, and when it is visible again. */
export class HiddenTab {
  readonly #page: Page | undefined
  readonly #onChange: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLeft = false

  constructor(isWatched: boolean, onChange: () => void) {
    this.#page = isWatched && typeof document === "object" ? document : undefined
    this.#onChange = onChange
  }

  /** True if the page has been hidden for 30 s. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  watch(): void {
    // Adding the same listener twice has no effect.
    this.#page?.addEventListener("visibilitychange", this.#look)
    this.#look()
  }

  unwatch(): void {
    this.#page?.removeEventListener("visibilitychange", this.#look)
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isLeft = false
  }

  readonly #look = (): void => {
    if (this.#page?.visibilityState === "hidden") {
      this.#timer ??= setTimeout(() => this.#turn(true), PATIENCE_MS)
      return
    }
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isLeft) this.#turn(false)
  }

  #turn(isLeft: boolean): void {
    this.#isLeft = isLeft
    this.#onChange()
  }
}
