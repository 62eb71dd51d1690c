import type { Connection } from "../../../ports/database.ts"
import {
  beatHeart,
  type ChannelPresence,
  FORGET_DEAD,
  MOST_MEMBERS,
  saveMembers,
} from "../../../sql/internal/channel-members.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"

interface MembersDependencies {
  /** The id of this process among those of the app. */
  readonly instance: string
  readonly connection: Connection
  onError(error: unknown): void
}

/** A connection that is a member of a room. */
interface Entered extends ChannelPresence {
  readonly onRefused: (error: ApiError) => void
}

export interface Membership {
  change(shown: Pick<ChannelPresence, "data" | "extended">): void
  leave(): void
}

// Joins and leaves within this time are stored by one statement.
const GATHER_MS = 50
const BEAT_MS = 3_000

/** The room members that are connected to this process. They are stored for all processes, while this process lives. */
export class ChannelMembers {
  readonly #dependencies: MembersDependencies
  readonly #all = new Map<string, Entered>()
  readonly #come = new Set<string>()
  readonly #gone = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #heart: NodeJS.Timeout | undefined
  #saving: Promise<void> | undefined

  constructor(parts: MembersDependencies) {
    this.#dependencies = parts
  }

  enter(presence: Omit<Entered, "id">): Membership {
    const id = crypto.randomUUID()
    const put = (shown: Pick<ChannelPresence, "data" | "extended">) => {
      this.#all.set(id, { ...presence, ...shown, id })
      this.#come.add(id)
      this.#saveSoon()
    }
    put(presence)
    this.#beat()
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
    clearInterval(this.#heart)
    for (const id of this.#all.keys()) this.#gone.add(id)
    this.#all.clear()
    await this.#saving
    await this.#save()
  }

  #remove(id: string): void {
    if (!this.#all.delete(id)) return
    this.#gone.add(id)
    this.#saveSoon()
    if (this.#all.size > 0) return
    clearInterval(this.#heart)
    this.#heart = undefined
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
    const come = [...this.#come].flatMap((id) => this.#all.get(id) ?? [])
    const gone = [...this.#gone]
    if (come.length + gone.length === 0) return
    this.#come.clear()
    this.#gone.clear()
    const saved = this.#dependencies.connection.query(saveMembers(this.#dependencies.instance, come, gone))
    await saved.then(
      ({ rows }) => refuseOthers(come, new Set(rows.map(([id]) => id))),
      (error) => this.#putBack(come, gone, error),
    )
  }

  // The next heartbeat tries again.
  #putBack(come: readonly Entered[], gone: readonly string[], error: unknown): void {
    for (const { id } of come) this.#come.add(id)
    for (const id of gone) this.#gone.add(id)
    this.#dependencies.onError(error)
  }

  #beat(): void {
    if (this.#heart) return
    this.#heart = setInterval(
      () => void this.#sayAlive().catch((error) => this.#dependencies.onError(error)),
      BEAT_MS,
    ).unref()
    void this.#sayAlive().catch((error) => this.#dependencies.onError(error))
  }

  // If another process has removed this process as dead, its members join again. Failed saves are tried again as well.
  async #sayAlive(): Promise<void> {
    const { connection, instance } = this.#dependencies
    const { rows } = await connection.query(beatHeart(instance))
    const [isNew, isAnyDead] = rows[0] ?? []
    if (isNew === true) for (const id of this.#all.keys()) this.#come.add(id)
    if (this.#come.size + this.#gone.size > 0) this.#saveSoon()
    if (isAnyDead === true) await connection.query(FORGET_DEAD)
  }
}

function refuseOthers(come: readonly Entered[], stored: ReadonlySet<unknown>): void {
  for (const { id, onRefused } of come) if (!stored.has(id)) onRefused(full())
}

function full(): ApiError {
  return new ApiError("RATE_LIMITED", { message: `A room has at most ${MOST_MEMBERS} connections with presence.` })
}
