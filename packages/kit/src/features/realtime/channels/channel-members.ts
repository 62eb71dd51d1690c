import type { Connection } from "../../../ports/database.ts"
import {
  type ChannelPresence,
  DELETE_DEAD_INSTANCES,
  MAX_ROOM_CONNECTIONS,
  saveMembers,
  writeHeartbeat,
} from "../../../sql/internal/channel-members.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"

interface MembersDependencies {
  /** The id of this process among those of the app. */
  readonly instance: string
  readonly connection: Connection
  onError(error: unknown): void
}

/** A connection that is a member of a room. */
interface RoomConnection extends ChannelPresence {
  readonly onRefused: (error: ApiError) => void
}

export interface Membership {
  change(shown: Pick<ChannelPresence, "data" | "extended">): void
  leave(): void
}

// Joins and leaves within this time are stored by one statement.
const GATHER_MS = 50
const HEARTBEAT_MS = 3_000

/** The room members that are connected to this process. They are stored for all processes, while this process lives. */
export class ChannelMembers {
  readonly #dependencies: MembersDependencies
  readonly #all = new Map<string, RoomConnection>()
  readonly #joined = new Set<string>()
  readonly #left = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #saving: Promise<void> | undefined

  constructor(parts: MembersDependencies) {
    this.#dependencies = parts
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

  /** Stores that all members of this process have left. */
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

  // Saves run one after the other: otherwise a join could be stored after the leave that followed it.
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
    const saved = this.#dependencies.connection.query(saveMembers(this.#dependencies.instance, come, gone))
    await saved.then(
      ({ rows }) => refuseOthers(come, new Set(rows.map(([id]) => id))),
      (error) => this.#requeue(come, gone, error),
    )
  }

  // The next heartbeat tries again.
  #requeue(come: readonly RoomConnection[], gone: readonly string[], error: unknown): void {
    for (const { id } of come) this.#joined.add(id)
    for (const id of gone) this.#left.add(id)
    this.#dependencies.onError(error)
  }

  #startHeartbeat(): void {
    if (this.#heartbeat) return
    this.#heartbeat = setInterval(
      () => void this.#sendHeartbeat().catch((error) => this.#dependencies.onError(error)),
      HEARTBEAT_MS,
    ).unref()
    void this.#sendHeartbeat().catch((error) => this.#dependencies.onError(error))
  }

  // If another process has removed this process as dead, its members join again. Failed saves are tried again as well.
  async #sendHeartbeat(): Promise<void> {
    const { connection, instance } = this.#dependencies
    const { rows } = await connection.query(writeHeartbeat(instance))
    const [isNew, isAnyDead] = rows[0] ?? []
    if (isNew === true) for (const id of this.#all.keys()) this.#joined.add(id)
    if (this.#joined.size + this.#left.size > 0) this.#saveSoon()
    if (isAnyDead === true) await connection.query(DELETE_DEAD_INSTANCES)
  }
}

function refuseOthers(come: readonly RoomConnection[], stored: ReadonlySet<unknown>): void {
  for (const { id, onRefused } of come) if (!stored.has(id)) onRefused(full())
}

function full(): ApiError {
  return new ApiError("RATE_LIMITED", {
    message: `A room has at most ${MAX_ROOM_CONNECTIONS} connections with presence.`,
  })
}
