import type { Subscriber } from "../../ports/message-bus.ts"

/** The subscribers of a message bus, by channel. */
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

  /** Removes a subscriber. Returns true if the channel has no subscriber left. */
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

  /** Notifies all subscribers that the database may have changed without a message on the bus. */
  notifyOfMissedWrites(): void {
    const all = [...this.#byChannel.values()].flatMap((subscribers) => [...subscribers])
    for (const subscriber of all) subscriber.onUnannouncedWrite?.()
  }
}
