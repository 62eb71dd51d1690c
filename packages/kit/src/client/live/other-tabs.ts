// The parts of the browser that this file uses; undefined outside of browsers.
declare const document: object | undefined
declare const BroadcastChannel: (new (name: string) => TabChannel) | undefined

interface TabChannel {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: unknown): void
  close(): void
}

/**
 * The other tabs of the browser, which share the session cookie. Each tab sends the id of the user who is signed in, or
 * null, to the others.
 */
export class OtherTabs {
  readonly #name: string
  readonly #onUser: (userId: unknown) => void
  #channel: TabChannel | undefined

  /** Calls back with the user of another tab whose client has the same address. */
  constructor(address: string, onUser: (userId: unknown) => void) {
    this.#name = `kit ${address}`
    this.#onUser = onUser
  }

  /** Begins to listen, unless it listens already, and sends the user who is signed in here. */
  open(userId: string | null): void {
    // Outside of browsers there are no tabs. Node has such channels too, but an open one would keep the process alive.
    if (this.#channel || typeof document !== "object" || typeof BroadcastChannel !== "function") return
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.onmessage = ({ data }) => this.#onUser(data)
    // Somebody who comes back from the page of another service has signed in without a client.
    this.#channel.postMessage(userId)
  }

  close(): void {
    this.#channel?.close()
    this.#channel = undefined
  }
}
