/** Limits on the cost of all filters in one request. */
export interface FilterLimits {
  /** The maximum number of relations that a filter may follow in a row. */
  readonly hopsPerPath: number
  /** The maximum number of to-many relations among the relations that a filter follows in a row. */
  readonly toManyHopsPerPath: number
  /** The maximum number of relations that all filters of a request may follow, in all branches together. */
  readonly hopsPerRequest: number
  /**
   * The maximum number of comparisons in all filters of a request. A text match counts as 25 comparisons, a JSON
   * comparison as 10.
   */
  readonly comparisonsPerRequest: number
}

export const DEFAULT_FILTER_LIMITS: FilterLimits = Object.freeze({
  hopsPerPath: 4,
  toManyHopsPerPath: 2,
  hopsPerRequest: 10,
  comparisonsPerRequest: 200,
})

/**
 * The position of a condition in a filter, as the number of relations that lead to it, and the number of to-many
 * relations among them.
 */
export interface FilterPath {
  readonly hops: number
  readonly toManyHops: number
}

export const FILTER_ROOT: FilterPath = Object.freeze({ hops: 0, toManyHops: 0 })

/**
 * Called when a limit is exceeded, with the path of the condition in the request's options and a message that names the
 * limit and a remedy.
 */
type OnExcess = (path: string, message: string) => void

/**
 * Counts the relations that the filters and sort orders of one request follow, and adds up the weights of their
 * comparisons.
 */
export class FilterCost {
  readonly #limits: FilterLimits
  readonly #onExcess: OnExcess
  #hops = 0
  #comparisons = 0

  constructor(limits: FilterLimits, onExcess: OnExcess) {
    this.#limits = limits
    this.#onExcess = onExcess
  }

  /**
   * Counts one more relation that a filter follows, and reports an error if a limit is then exceeded. The relation is
   * already included in the numbers of the `FilterPath`.
   */
  addHop({ hops, toManyHops }: FilterPath, path: string): void {
    const { hopsPerPath, toManyHopsPerPath, hopsPerRequest } = this.#limits
    this.#hops += 1
    if (toManyHops > toManyHopsPerPath) {
      this.#refuse(
        path,
        `A filter may follow at most ${counted(toManyHopsPerPath)} to many records`,
        "toManyHopsPerPath",
      )
    } else if (hops > hopsPerPath) {
      this.#refuse(path, `A filter may follow at most ${counted(hopsPerPath)} in a row`, "hopsPerPath")
    } else if (this.#hops > hopsPerRequest) {
      this.#refuse(path, `The filters of a request may follow at most ${counted(hopsPerRequest)}`, "hopsPerRequest")
    }
  }

  addComparison(weight: number, path: string): void {
    const { comparisonsPerRequest: most } = this.#limits
    this.#comparisons += weight
    if (this.#comparisons <= most) return
    const kinds = "where a text match counts as 25 and a JSON comparison as 10"
    this.#refuse(
      path,
      `The filters of a request may make at most ${most} comparisons, ${kinds}`,
      "comparisonsPerRequest",
    )
  }

  #refuse(path: string, rule: string, setting: keyof FilterLimits): void {
    const remedy = "Simplify the filters or split the request; the author of the app can raise"
    this.#onExcess(path, `${rule}. ${remedy} limits.filter.${setting}.`)
  }
}

function counted(relations: number): string {
  return relations === 1 ? "1 relation" : `${relations} relations`
}
