import type { NotedChange } from "../../../sql/changes/read-changes.ts"
import { CHANNEL_CHANGE, type ChannelPage } from "../../../sql/internal/channel-events.ts"
import { Turns } from "../topics/turns.ts"
import { ChannelRoom, type RoomListener } from "./channel-room.ts"

interface RoomsDependencies {
  /** The number of rooms that may be read concurrently. */
  readonly atOnce: number
  read(place: string, position: number | undefined): Promise<ChannelPage>
  onError(error: unknown): void
}

/** The rooms that have subscribers in this process. */
export class ChannelRooms {
  readonly #dependencies: RoomsDependencies
  readonly #turns: Turns
  readonly #rooms = new Map<string, ChannelRoom>()

  constructor(parts: RoomsDependencies) {
    this.#dependencies = parts
    this.#turns = new Turns(parts.atOnce)
  }

  /** Subscribes to the room; returns a function that unsubscribes. */
  join(place: string, listener: RoomListener): () => void {
    const room = this.#rooms.get(place) ?? this.#open(place)
    const isNew = room.isEmpty
    room.add(listener)
    // The first read finds the current position; later reads pass on the events after it.
    if (isNew) room.refresh()
    return () => {
      room.remove(listener)
      if (room.isEmpty && this.#rooms.get(place) === room) this.#rooms.delete(place)
    }
  }

  /** Reads the events since the position, for a subscriber that was not there when they were published. */
  read(place: string, position: number | undefined): Promise<ChannelPage> {
    return this.#turns.run(() => this.#dependencies.read(place, position))
  }

  /** Refreshes the rooms in which events were published. */
  follow(changes: readonly NotedChange[]): void {
    if (this.#rooms.size === 0) return
    const published = changes.filter(({ resourceKind }) => resourceKind === CHANNEL_CHANGE)
    for (const place of new Set(published.map(({ resource }) => resource))) this.#rooms.get(place)?.refresh()
  }

  refreshAll(): void {
    for (const room of this.#rooms.values()) room.refresh()
  }

  #open(place: string): ChannelRoom {
    const room = new ChannelRoom({
      turns: this.#turns,
      read: (position) => this.#dependencies.read(place, position),
      onError: (error) => this.#dependencies.onError(error),
    })
    this.#rooms.set(place, room)
    return room
  }
}
