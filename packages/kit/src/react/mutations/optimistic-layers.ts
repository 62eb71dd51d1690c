import type { Arrival, LayeredResult, Overlay } from "../store/layer.ts"
import type { Change } from "./change.ts"
import { OptimisticLayer } from "./optimistic-layer.ts"
import { recordsIn } from "./result-records.ts"

/** The longest time for which a result waits for the id of a new record. */
const HOLD_MS = 2_000
/** The time after which a successful write counts as contained although no stream has announced it. */
const ANNOUNCE_MS = 5_000

/** The writes that a result contains, and the newest result while it may not be shown. */
interface State {
  /** The moment at which the reading of the result began. What is read contains the writes that were done before. */
  begunAt: number
  contained: ReadonlySet<OptimisticLayer>
  held?: Held | undefined
}

interface Held {
  readonly arrival: Arrival
  /** The writes that the arrival contains. */
  contained: ReadonlySet<OptimisticLayer>
  readonly timer: ReturnType<typeof setTimeout> | undefined
}

/** The optimistic changes over the results of a client, in the order in which their writes began. */
export class OptimisticLayers implements Overlay {
  readonly #results: () => Iterable<LayeredResult>
  #layers: readonly OptimisticLayer[] = []
  #states = new WeakMap<LayeredResult, State>()
  #now = 0

  constructor(results: () => Iterable<LayeredResult>) {
    this.#results = results
  }

  /** Lays changes over all results, and returns their layer. */
  add(write: string, changes: readonly Change[]): OptimisticLayer {
    const layer = new OptimisticLayer({ write, changes, begunAt: ++this.#now }, this.#results())
    this.#layers = [...this.#layers, layer]
    this.#update()
    return layer
  }

  /** Called when the write has succeeded. The layer stays over each result until that result contains the write. */
  settle(layer: OptimisticLayer, returned: unknown): void {
    if (!this.#layers.includes(layer)) return
    layer.name(returned)
    setTimeout(() => this.announce([...layer.awaited]), ANNOUNCE_MS)
    layer.doneAt = ++this.#now
    // A result that no stream follows is read again if it may not contain the write.
    for (const result of [...this.#results()]) if (!result.base || this.#isOver(layer, result)) result.renew()
    this.#lift([layer])
    this.#update()
  }

  /** Called when the write has failed. Removes the layer from all results. */
  drop(layer: OptimisticLayer): void {
    this.#layers = this.#layers.filter((other) => other !== layer)
    this.#update()
  }

  over(result: LayeredResult, data: unknown): unknown {
    return this.#layersOver(result).reduce((shown, layer) => layer.apply(result, shown), data)
  }

  begin(result: LayeredResult): void {
    this.#stateOf(result).begunAt = ++this.#now
  }

  receive(result: LayeredResult, arrival: Arrival): void {
    const state = this.#stateOf(result)
    const contained = this.#containedBy(result)
    const isWaiting = this.#mustWait(result, { arrival, contained })
    const timer = state.held?.timer ?? (isWaiting ? setTimeout(() => this.#release(result, true), HOLD_MS) : undefined)
    state.held = { arrival, contained, timer }
    if (!isWaiting) this.#release(result)
    this.#prune()
  }

  confirm(result: LayeredResult): void {
    this.#contain(result)
    this.#update()
  }

  announce(writes: readonly string[]): void {
    // Every followed result passes on the same event.
    const waiting = this.#layers.filter(({ isAnnounced }) => !isAnnounced)
    for (const { awaited } of waiting) for (const write of writes) awaited.delete(write)
    if (this.#lift(waiting)) this.#update()
  }

  reset(): void {
    for (const result of this.#results()) clearTimeout(this.#stateOf(result).held?.timer)
    this.#states = new WeakMap()
    this.#layers = []
  }

  #stateOf(result: LayeredResult): State {
    const state = this.#states.get(result) ?? { begunAt: 0, contained: new Set() }
    this.#states.set(result, state)
    return state
  }

  // If one of these writes is announced, notes which writes the followed results contain, and returns true.
  #lift(layers: readonly OptimisticLayer[]): boolean {
    if (!layers.some(({ isAnnounced }) => isAnnounced)) return false
    for (const result of this.#results()) if (result.isCurrent) this.#contain(result)
    return true
  }

  // Returns the layers that are shown over a result. A write that began later stays over an earlier write of the same
  // record: without it, the page would go back to the earlier value.
  #layersOver(result: LayeredResult): readonly OptimisticLayer[] {
    const { contained } = this.#stateOf(result)
    const over: OptimisticLayer[] = []
    for (const layer of this.#layers) {
      if (!contained.has(layer) || over.some((earlier) => earlier.concernsSameRecord(layer))) over.push(layer)
    }
    return over
  }

  // Returns the writes that a result contains which was sent or confirmed now.
  #containedBy(result: LayeredResult): ReadonlySet<OptimisticLayer> {
    const state = this.#stateOf(result)
    const { contained } = state.held ?? state
    // Layers that were pruned are not passed on: a page may stay open for thousands of writes.
    const known = this.#layers.filter((layer) => contained.has(layer) || (layer.isAnnounced && result.isCurrent))
    // A result that contains a write also contains all writes that were done before that write began.
    state.begunAt = Math.max(state.begunAt, ...known.map((layer) => layer.begunAt))
    const { begunAt } = state
    return new Set([...known, ...this.#layers.filter(({ doneAt = Number.POSITIVE_INFINITY }) => doneAt < begunAt)])
  }

  #contain(result: LayeredResult): void {
    const state = this.#stateOf(result)
    const newest = state.held ?? state
    newest.contained = this.#containedBy(result)
  }

  // True if the arrival has a new record that may be one whose id is still unknown, so that it would be shown twice.
  #mustWait(result: LayeredResult, { arrival, contained }: Omit<Held, "timer">): boolean {
    const isUnnamed = this.#layers.some((layer) => !contained.has(layer) && layer.addsUnnamed(result))
    return isUnnamed && this.#newRecords(result, arrival).length > 0
  }

  #newRecords(result: LayeredResult, arrival: Arrival): ReturnType<typeof recordsIn> {
    const known = new Set(recordsIn(result, result.base?.data).map(({ id }) => id))
    for (const id of this.#layers.flatMap(({ namedIds }) => namedIds)) known.add(id)
    return recordsIn(result, arrival.data).filter(({ id }) => !known.has(id))
  }

  // Shows the arrival that was held. If the id of a new record is still unknown, the record that looks like it is it.
  #release(result: LayeredResult, isLate = false): void {
    const state = this.#stateOf(result)
    const { held } = state
    if (!held) return
    const fresh = isLate ? this.#newRecords(result, held.arrival) : []
    const found = this.#layers.filter((layer) => layer.resembles(result, fresh))
    clearTimeout(held.timer)
    state.held = undefined
    state.contained = new Set([...held.contained, ...found])
    held.arrival.take()
  }

  // Shows all results again. Called after each change of the layers.
  #update(): void {
    for (const result of [...this.#results()]) {
      const { held } = this.#stateOf(result)
      if (held && !this.#mustWait(result, held)) this.#release(result)
      else result.show()
    }
    this.#prune()
  }

  // Forgets the layers that all results contain.
  #prune(): void {
    const results = [...this.#results()]
    this.#layers = this.#layers.filter(
      (layer) => !layer.isAnnounced || results.some((result) => this.#isOver(layer, result)),
    )
  }

  // True if the result needs the layer to show the write, or to hide another write of the same record.
  #isOver(layer: OptimisticLayer, result: LayeredResult): boolean {
    const over = this.#layersOver(result)
    const data = result.base?.data
    const isNeeded = over.some((other) => other.concernsSameRecord(layer) && other.apply(result, data) !== data)
    return isNeeded && over.includes(layer)
  }
}
