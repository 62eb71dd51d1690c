import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import {
  CHANNEL_CHANGE,
  type ChannelPage,
  channelEventsSince,
  decodeChannelPage,
} from "../../../sql/internal/channel-events.ts"
import type { LiveEngine } from "../live-engine.ts"
import { Semaphore } from "../topics/semaphore.ts"
import { ChannelRoom, type RoomSubscriber } from "./channel-room.ts"

/** The rooms that have subscribers in this process. */
export class ChannelRooms {
  readonly #engine: LiveEngine
  readonly #semaphore: Semaphore
  readonly #rooms = new Map<string, ChannelRoom>()

  constructor(engine: LiveEngine, maxConcurrentReads: number) {
    this.#engine = engine
    this.#semaphore = new Semaphore(maxConcurrentReads)
  }

  /** Adds a subscriber to a room; returns a function that removes it. */
  join(roomKey: string, subscriber: RoomSubscriber): () => void {
    const room = this.#rooms.get(roomKey) ?? this.#open(roomKey)
    const isNew = room.isEmpty
    room.add(subscriber)
    // The first read only finds the room's current position. Later reads pass on the events that follow this position.
    if (isNew) room.refresh()
    return () => {
      room.remove(subscriber)
      if (room.isEmpty && this.#rooms.get(roomKey) === room) this.#rooms.delete(roomKey)
    }
  }

  /** Reads the room's events after this position, for the room or for a subscriber that has missed some of them. */
  read(roomKey: string, position: number | undefined): Promise<ChannelPage> {
    return this.#semaphore.run(async () => {
      const { rows } = await this.#engine.connection.query(channelEventsSince(roomKey, position))
      return decodeChannelPage(rows)
    })
  }

  /** Announces the channel events among these changes to the rooms in which they were published. */
  onChanges(changes: readonly CommittedChange[]): void {
    if (this.#rooms.size === 0) return
    for (const { resourceKind, resource, record } of changes)
      if (resourceKind === CHANNEL_CHANGE) this.#rooms.get(resource)?.onAnnounced(Number(record))
  }

  refreshAll(): void {
    for (const room of this.#rooms.values()) room.refresh()
  }

  #open(roomKey: string): ChannelRoom {
    const room = new ChannelRoom({
      engine: this.#engine,
      read: (position) => this.read(roomKey, position),
    })
    this.#rooms.set(roomKey, room)
    return room
  }
}
