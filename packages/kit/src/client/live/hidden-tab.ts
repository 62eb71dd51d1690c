// What is used of the browser's own, where there is one.
declare const document: Page | undefined

interface Page {
  readonly visibilityState: string
  addEventListener(name: "visibilitychange", listener: () => void): void
  removeEventListener(name: "visibilitychange", listener: () => void): void
}

const PATIENCE_MS = 30_000

/** Tells when nobody has looked at the page for a while, and when somebody does again. */
export class HiddenTab {
  readonly #page: Page | undefined
  readonly #onChange: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLeft = false

  constructor(isWatched: boolean, onChange: () => void) {
    this.#page = isWatched && typeof document === "object" ? document : undefined
    this.#onChange = onChange
  }

  /** Whether the page has been hidden for longer than we have patience. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  watch(): void {
    // The same listener twice is one.
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
