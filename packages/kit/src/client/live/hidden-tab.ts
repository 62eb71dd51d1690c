// The part of the browser's `document` that this file uses; undefined outside of browsers.
declare const document: Page | undefined

interface Page {
  readonly visibilityState: string
  addEventListener(name: "visibilitychange", listener: () => void): void
  removeEventListener(name: "visibilitychange", listener: () => void): void
}

const HIDDEN_DELAY_MS = 30_000

/**
 * Calls back when the page has been hidden for 30 s, and when it is visible again. A page that was never visible, such as
 * one that is rendered before the user opens it, counts as hidden from the beginning.
 */
export class HiddenTab {
  readonly #page: Page | undefined
  readonly #onChange: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isHidden = false
  #wasVisible = false

  constructor(isWatched: boolean, onChange: () => void) {
    this.#page = isWatched && typeof document === "object" ? document : undefined
    this.#onChange = onChange
  }

  /** True if the page has been hidden for 30 s, or was never visible. */
  get isHidden(): boolean {
    return this.#isHidden
  }

  watch(): void {
    // If the listener is already registered, adding it again has no effect.
    this.#page?.addEventListener("visibilitychange", this.#check)
    this.#check()
  }

  unwatch(): void {
    this.#page?.removeEventListener("visibilitychange", this.#check)
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isHidden = false
  }

  readonly #check = (): void => {
    if (this.#page?.visibilityState === "hidden") {
      if (this.#wasVisible) this.#timer ??= setTimeout(() => this.#setHidden(true), HIDDEN_DELAY_MS)
      else this.#isHidden = true
      return
    }
    this.#wasVisible = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isHidden) this.#setHidden(false)
  }

  #setHidden(isLeft: boolean): void {
    this.#isHidden = isLeft
    this.#onChange()
  }
}
