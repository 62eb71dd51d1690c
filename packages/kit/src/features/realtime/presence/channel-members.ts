import {
  type ChannelPresence,
  DELETE_DEAD_INSTANCES,
  saveMembers,
  writeHeartbeat,
} from "../../../sql/internal/channel-members.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { LiveEngine } from "../live-engine.ts"

interface MembersLimit {
  /** The maximum number of connections in a room. */
  readonly maxConnections: number
  /** The message of the error for the connections above the maximum. */
  readonly message: string
}

/** A client connection that takes part in a room's presence. */
interface RoomConnection extends ChannelPresence {
  readonly onRefused: (error: ApiError) => void
}

export interface Membership {
  change(shown: Pick<ChannelPresence, "data" | "extended">): void
  leave(): void
}

// All joins and leaves within this time are stored by one SQL statement.
const GATHER_MS = 50
const HEARTBEAT_MS = 3_000

/**
 * The room members that are connected to this process. They are stored in the database, so that all processes see them,
 * and count as present while this process sends heartbeats.
 */
export class ChannelMembers {
  readonly #engine: LiveEngine
  readonly #limit: MembersLimit
  readonly #all = new Map<string, RoomConnection>()
  readonly #joined = new Set<string>()
  readonly #left = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #saving: Promise<void> | undefined

  constructor(engine: LiveEngine, limit: MembersLimit) {
    this.#engine = engine
    this.#limit = limit
  }

  enter(presence: Omit<RoomConnection, "id">): Membership {
    const id = crypto.randomUUID()
    const put = (shown: Pick<ChannelPresence, "data" | "extended">) => {
      this.#all.set(id, { ...presence, ...shown, id })
      this.#joined.add(id)
      this.#saveSoon()
    }
    put(presence)
    this.#startHeartbeat()
    return {
      change: (shown) => {
        const known = this.#all.get(id)
        if (known && (known.data !== shown.data || known.extended !== shown.extended)) put(shown)
      },
      leave: () => this.#remove(id),
    }
  }

  /** Stores that all room members connected to this process have left. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    clearInterval(this.#heartbeat)
    for (const id of this.#all.keys()) this.#left.add(id)
    this.#all.clear()
    await this.#saving
    await this.#save()
  }

  #remove(id: string): void {
    if (!this.#all.delete(id)) return
    this.#left.add(id)
    this.#saveSoon()
    if (this.#all.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }

  #saveSoon(): void {
    this.#timer ??= setTimeout(() => void this.#saveNow(), GATHER_MS).unref()
  }

  // Saves the waiting joins and leaves. Saves run one after another: otherwise a join could be stored after the leave
  // that followed it.
  async #saveNow(): Promise<void> {
    await this.#saving
    this.#timer = undefined
    this.#saving = this.#save()
  }

  async #save(): Promise<void> {
    const come = [...this.#joined].flatMap((id) => this.#all.get(id) ?? [])
    const gone = [...this.#left]
    if (come.length + gone.length === 0) return
    this.#joined.clear()
    this.#left.clear()
    const { connection, instance } = this.#engine
    const { maxConnections } = this.#limit
    const saved = connection.query(saveMembers({ instance, joined: come, left: gone, maxConnections }))
    await saved.then(
      ({ rows }) => this.#refuseOthers(come, new Set(rows.map(([id]) => id))),
      (error) => this.#requeue(come, gone, error),
    )
  }

  // Puts the joins and leaves of a failed save back into the queue. The next heartbeat saves them again.
  #requeue(come: readonly RoomConnection[], gone: readonly string[], error: unknown): void {
    for (const { id } of come) this.#joined.add(id)
    for (const id of gone) this.#left.add(id)
    this.#engine.onError(error)
  }

  #startHeartbeat(): void {
    if (this.#heartbeat) return
    this.#heartbeat = setInterval(
      () => void this.#sendHeartbeat().catch((error) => this.#engine.onError(error)),
      HEARTBEAT_MS,
    ).unref()
    void this.#sendHeartbeat().catch((error) => this.#engine.onError(error))
  }

  // Stores that this process is alive. If another process has removed this process as dead, all members connected to
  // this process join again. Joins and leaves whose save failed are saved again.
  async #sendHeartbeat(): Promise<void> {
    const { connection, instance } = this.#engine
    const { rows } = await connection.query(writeHeartbeat(instance))
    const [isNew, isAnyDead] = rows[0] ?? []
    if (isNew === true) for (const id of this.#all.keys()) this.#joined.add(id)
    if (this.#joined.size + this.#left.size > 0) this.#saveSoon()
    if (isAnyDead === true) await connection.query(DELETE_DEAD_INSTANCES)
  }

  #refuseOthers(come: readonly RoomConnection[], stored: ReadonlySet<unknown>): void {
    const { message } = this.#limit
    for (const { id, onRefused } of come) if (!stored.has(id)) onRefused(new ApiError("RATE_LIMITED", { message }))
  }
}
