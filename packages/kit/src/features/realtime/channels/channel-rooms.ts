import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import { CHANNEL_CHANGE, type ChannelPage } from "../../../sql/internal/channel-events.ts"
import { Semaphore } from "../topics/semaphore.ts"
import { ChannelRoom, type RoomSubscriber } from "./channel-room.ts"

interface RoomsDependencies {
  /** The maximum number of rooms whose events are read concurrently. */
  readonly maxConcurrentReads: number
  read(place: string, position: number | undefined): Promise<ChannelPage>
  onError(error: unknown): void
}

/** The rooms that have subscribers in this process. */
export class ChannelRooms {
  readonly #dependencies: RoomsDependencies
  readonly #semaphore: Semaphore
  readonly #rooms = new Map<string, ChannelRoom>()

  constructor(parts: RoomsDependencies) {
    this.#dependencies = parts
    this.#semaphore = new Semaphore(parts.maxConcurrentReads)
  }

  /** Subscribes the listener to a room; returns a function that unsubscribes it. */
  join(place: string, listener: RoomSubscriber): () => void {
    const room = this.#rooms.get(place) ?? this.#open(place)
    const isNew = room.isEmpty
    room.add(listener)
    // The first read only finds the room's current position. Later reads pass on the events that follow this position.
    if (isNew) room.refresh()
    return () => {
      room.remove(listener)
      if (room.isEmpty && this.#rooms.get(place) === room) this.#rooms.delete(place)
    }
  }

  /** Reads the room's events after this position, for a subscriber that was not subscribed when they were published. */
  read(place: string, position: number | undefined): Promise<ChannelPage> {
    return this.#semaphore.run(() => this.#dependencies.read(place, position))
  }

  /**
   * Finds the channel events among these changes, and makes the rooms in which they were published read their new
   * events.
   */
  onChanges(changes: readonly CommittedChange[]): void {
    if (this.#rooms.size === 0) return
    const published = changes.filter(({ resourceKind }) => resourceKind === CHANNEL_CHANGE)
    for (const place of new Set(published.map(({ resource }) => resource))) this.#rooms.get(place)?.refresh()
  }

  refreshAll(): void {
    for (const room of this.#rooms.values()) room.refresh()
  }

  #open(place: string): ChannelRoom {
    const room = new ChannelRoom({
      semaphore: this.#semaphore,
      read: (position) => this.#dependencies.read(place, position),
      onError: (error) => this.#dependencies.onError(error),
    })
    this.#rooms.set(place, room)
    return room
  }
}
