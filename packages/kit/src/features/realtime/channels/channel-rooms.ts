import type { NotedChange } from "../../../sql/changes/read-changes.ts"
import { CHANNEL_CHANGE, type ChannelPage } from "../../../sql/internal/channel-events.ts"
import { Turns } from "../topics/turns.ts"
import { ChannelRoom, type RoomListener } from "./channel-room.ts"

interface RoomsParts {
  /** How many channels may be read at once. */
  readonly atOnce: number
  read(place: string, position: number | undefined): Promise<ChannelPage>
  onError(error: unknown): void
}

/** The channels that are followed in this process. */
export class ChannelRooms {
  readonly #parts: RoomsParts
  readonly #turns: Turns
  readonly #rooms = new Map<string, ChannelRoom>()

  constructor(parts: RoomsParts) {
    this.#parts = parts
    this.#turns = new Turns(parts.atOnce)
  }

  /** Follows the channel; returns how it is left. */
  join(place: string, listener: RoomListener): () => void {
    const room = this.#rooms.get(place) ?? this.#open(place)
    const isNew = room.isEmpty
    room.add(listener)
    // From where it has got to now, it hands on what comes.
    if (isNew) room.refresh()
    return () => {
      room.remove(listener)
      if (room.isEmpty && this.#rooms.get(place) === room) this.#rooms.delete(place)
    }
  }

  /** What has been published since the position, for one who was not there. */
  read(place: string, position: number | undefined): Promise<ChannelPage> {
    return this.#turns.run(() => this.#parts.read(place, position))
  }

  /** Has the channels read in which something was published. */
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
      read: (position) => this.#parts.read(place, position),
      onError: (error) => this.#parts.onError(error),
    })
    this.#rooms.set(place, room)
    return room
  }
}
