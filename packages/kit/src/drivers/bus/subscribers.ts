import type { Subscriber } from "../../ports/message-bus.ts"

/** Who listens to which channel of a bus. */
export class BusSubscribers {
  readonly #byChannel = new Map<string, Set<Subscriber>>()

  get channels(): readonly string[] {
    return [...this.#byChannel.keys()]
  }

  add(channel: string, subscriber: Subscriber): void {
    const known = this.#byChannel.get(channel)
    if (known) known.add(subscriber)
    else this.#byChannel.set(channel, new Set([subscriber]))
  }

  /** Returns whether nobody listens to the channel any more. */
  remove(channel: string, subscriber: Subscriber): boolean {
    const subscribers = this.#byChannel.get(channel)
    subscribers?.delete(subscriber)
    if (subscribers?.size !== 0) return false
    this.#byChannel.delete(channel)
    return true
  }

  of(channel: string): readonly Subscriber[] {
    return [...(this.#byChannel.get(channel) ?? [])]
  }

  /** Each may find something to read that nobody spoke of. */
  tellOfSilence(): void {
    const all = [...this.#byChannel.values()].flatMap((subscribers) => [...subscribers])
    for (const subscriber of all) subscriber.onSilence?.()
  }
}
