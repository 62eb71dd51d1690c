/** Limits on the cost of the filters of one request. */
export interface FilterLimits {
  /** The number of relations that one path of a filter may follow. */
  readonly hopsPerPath: number
  /** The number of these relations that may lead to many records. */
  readonly toManyHopsPerPath: number
  /** The number of relations that all filters of a request may follow, in all branches together. */
  readonly hopsPerRequest: number
  /** The number of comparisons in all filters of a request; a text match counts as 25, a JSON comparison as 10. */
  readonly comparisonsPerRequest: number
}

export const DEFAULT_FILTER_LIMITS: FilterLimits = Object.freeze({
  hopsPerPath: 4,
  toManyHopsPerPath: 2,
  hopsPerRequest: 10,
  comparisonsPerRequest: 200,
})

/** The number of relations on the way to a condition of a filter. */
export interface FilterPath {
  readonly hops: number
  readonly toManyHops: number
}

export const FILTER_ROOT: FilterPath = Object.freeze({ hops: 0, toManyHops: 0 })

/** Called with the position in the options and a message that names the limit and a remedy. */
type OnExcess = (path: string, message: string) => void

/** Counts the relations that the filters and the order of one request follow, and weighs their comparisons. */
export class FilterCost {
  readonly #limits: FilterLimits
  readonly #onExcess: OnExcess
  #hops = 0
  #comparisons = 0

  constructor(limits: FilterLimits, onExcess: OnExcess) {
    this.#limits = limits
    this.#onExcess = onExcess
  }

  /** Adds the last relation of the path. */
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
