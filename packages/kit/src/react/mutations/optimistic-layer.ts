import type { LayeredResult } from "../store/layer.ts"
import { share } from "../store/share.ts"
import { applyChange, type Change, type Insert } from "./change.ts"
import { isRecord, type RecordFields } from "./result-records.ts"

interface BegunWrite {
  readonly write: string
  readonly changes: readonly Change[]
  readonly begunAt: number
}

/** The changes of one optimistic write, which lie over the results of a client until these contain the write. */
export class OptimisticLayer {
  /**
   * The ids of its requests (`WRITE_HEADER`) that no stream has announced yet in an `applied` event. It has the id of the
   * first request before that is sent.
   */
  readonly awaited: Set<string>
  /** The moment at which the write began. */
  readonly begunAt: number
  /** The moment from which on every read contains the write; undefined while the write is under way. */
  doneAt: number | undefined
  #changes: readonly Change[]
  /** The results that were shown when the write began. In a later one, a new record may already be the server's. */
  readonly #former: WeakSet<LayeredResult>

  constructor({ write, changes, begunAt }: BegunWrite, shown: Iterable<LayeredResult>) {
    this.awaited = new Set([write])
    this.begunAt = begunAt
    this.#changes = changes
    this.#former = new WeakSet([...shown].filter(({ base }) => base))
  }

  /**
   * True if the results that the stream follows contain the write, as far as the stream has sent them. A write that is
   * under way may send another request.
   */
  get isAnnounced(): boolean {
    return this.doneAt !== undefined && this.awaited.size === 0
  }

  /** Returns the data with the changes that concern it, or the same value. */
  apply(result: LayeredResult, data: unknown): unknown {
    return this.#changes.reduce<unknown>(
      (changed, change) => (this.#isKnown(change, result) ? applyChange(change, result, changed) : changed),
      data,
    )
  }

  /** True if both writes change one record, or one global. */
  concernsSameRecord(other: OptimisticLayer): boolean {
    return this.#changes.some((one) => other.#changes.some((two) => targetOf(one) === targetOf(two)))
  }

  /** True if the write adds a record to the result whose id the server has not sent yet. */
  addsUnnamed(result: LayeredResult): boolean {
    return this.#unnamed().some((change) => this.#isKnown(change, result) && adds(change, result))
  }

  /** True if one of these new records is one that the write adds to the result, as far as that can be known. */
  resembles(result: LayeredResult, records: readonly RecordFields[]): boolean {
    const isShown = result.isCurrent && this.awaited.size === 0
    const isAmong = ({ data }: Insert) => isShown || records.some((record) => isLike(record, data))
    return this.addsUnnamed(result) && this.#unnamed().some(isAmong)
  }

  /** The ids of the records that the write adds, as far as the server has sent them. */
  get namedIds(): readonly unknown[] {
    return this.#changes.filter((change) => change.kind === "insert").map(({ data }) => data["id"])
  }

  /** Gives the new records the ids that the write has returned, in the same order. */
  name(returned: unknown): void {
    const ids = [returned].flat().map((record) => (isRecord(record) ? record["id"] : undefined))
    if (ids.length !== this.#unnamed().length || !ids.every((id) => typeof id === "string")) return
    this.#changes = this.#changes.map((change) =>
      change.kind === "insert" && change.isTemporary
        ? { ...change, data: { ...change.data, id: ids.shift() }, isTemporary: false }
        : change,
    )
  }

  #unnamed(): readonly Insert[] {
    return this.#changes.filter((change) => change.kind === "insert").filter(({ isTemporary }) => isTemporary)
  }

  #isKnown(change: Change, result: LayeredResult): boolean {
    return change.kind !== "insert" || !change.isTemporary || this.#former.has(result)
  }
}

function targetOf(change: Change): string {
  const id = "id" in change ? change.id : change.kind === "insert" ? change.data["id"] : undefined
  return JSON.stringify([change.resource, id])
}

function adds(change: Insert, result: LayeredResult): boolean {
  const data = result.base?.data
  return applyChange(change, result, data) !== data
}

// The temporary id is never equal, and fields that the result does not show are not compared.
function isLike(record: RecordFields, { id: _id, ...data }: RecordFields): boolean {
  return Object.entries(data).every(([name, value]) => !(name in record) || areEqual(record[name], value))
}

function areEqual(one: unknown, other: unknown): boolean {
  return share(one, other) === one
}
