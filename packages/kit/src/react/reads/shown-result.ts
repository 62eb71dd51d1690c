import type { Entry } from "../store/entry.ts"
import type { Result } from "../store/result.ts"
import { share } from "../store/share.ts"

/** The settings of a hook that decide what it shows of a result. */
export interface ViewSettings {
  readonly select?: ((data: never) => unknown) | undefined
  readonly keep?: boolean | undefined
  readonly initial?: unknown
}

/** Data that was shown, and where it came from. */
interface FormerData {
  readonly data: unknown
  readonly handle: string
  /** The store of the handle's client. */
  readonly store: Entry["store"]
  /** The last reset of the store before. What a former user saw must not be shown again. */
  readonly resetAt: number
}

const IDLE: Result & { readonly isLive: false } = {
  status: "idle",
  data: undefined,
  error: undefined,
  updatedAt: undefined,
  isLive: false,
}

/**
 * Makes the result that one component shows of an entry. It remembers the last one, so that an equal result stays the
 * same object, and so that data stays while the first result for new options is on its way.
 */
export class ShownResult {
  #source: { readonly result: Result; readonly data: unknown; readonly select: unknown } | undefined
  #shown: Result | undefined
  #former: FormerData | undefined

  of(entry: Entry, result: Result, settings: ViewSettings): Result {
    const data = this.#dataOf(entry, result, settings)
    const { select } = settings
    if (data === result.data && !select) return result
    const source = this.#source
    if (this.#shown && source?.result === result && source.data === data && source.select === select) return this.#shown
    this.#source = { result, data, select }
    // The cast is safe: the types of the hook take a `select` for the data of its handle.
    const selected = data !== undefined && select ? select(data as never) : data
    const next = { ...result, data: share(this.#shown?.data, selected) }
    if (!this.#shown || !looksSame(this.#shown, next)) this.#shown = next
    return this.#shown
  }

  /** Shows nothing, because the options are null. */
  idle(): Result {
    this.#former = undefined
    return IDLE
  }

  #dataOf(entry: Entry, { data, status }: Result, { keep = true, initial }: ViewSettings): unknown {
    const { kind, resource, id, store } = entry
    const handle = JSON.stringify([kind, resource, id])
    const { resetAt } = store
    if (data !== undefined) this.#former = { data, handle, store, resetAt }
    if (data !== undefined || status !== "pending") return data
    const former = this.#former
    const isKept = keep && former?.handle === handle && former.store === store && former.resetAt === resetAt
    return isKept ? former.data : initial
  }
}

// The time of a change is left out: it may have changed something that is not selected.
function looksSame(one: Result, other: Result): boolean {
  const { updatedAt: _one, ...shown }: Partial<Result> = one
  const { updatedAt: _other, ...next }: Partial<Result> = other
  return Object.entries(next).every(([name, value]) => Object.is(value, Reflect.get(shown, name)))
}
