// Random aggregates: computed values, groups, periods, conditions and orders, with names that the caller may and may not
// know.

import { ASKED, type Kind } from "./asked-fields.ts"
import type { Caller } from "./callers.ts"
import { LOCALES } from "./model.ts"
import { LISTED, queryString, type Reads, UNSORTABLE } from "./reads.ts"
import type { Request } from "./world.ts"

type Options = Record<string, any>

const KINDS: readonly Kind[] = [
  ...(["text", "number", "flag", "genre", "moods", "list", "json", "date", "blocks", "id", "none"] as const),
]
const NOT_NUMBERS = KINDS.filter((kind) => kind !== "number")
const NOT_DATES = KINDS.filter((kind) => kind !== "date")
const WITHOUT_EXTREMES: readonly Kind[] = [...UNSORTABLE, "flag", "id"]
const MEASURES = ["sum", "avg", "min", "max"]
const PERIODS = ["day", "week", "month", "year", "hour"]
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "CET"]

export class Aggregates {
  readonly reads: Reads
  readonly chance

  constructor(reads: Reads) {
    this.reads = reads
    this.chance = reads.chance
  }

  next(caller: Caller): Request {
    const { chance } = this
    this.reads.caller = caller
    const name = chance.of(LISTED)
    const options = this.options(name)
    const headers = { ...(chance.is(8) && { "x-extendedjson": "1" }), ...(chance.is(8) && { "accept-language": "sk" }) }
    const path = `/_kit/aggregate/${name}`
    if (chance.is(25)) return { caller, headers, path: `${path}?${queryString(options)}` }
    return { caller, headers, path, body: options }
  }

  /** Returns the options of an aggregate of the collection, mostly valid ones. */
  options(name: string): Options {
    const { chance } = this
    const { where, search, locale, localeFallback, stage, includeDeleted } = this.reads.options(name)
    const isGrouped = chance.is(65)
    return {
      ...{ where, search, localeFallback, stage, includeDeleted },
      ...((LOCALES.includes(locale) || chance.is(5)) && { locale }),
      ...((!isGrouped || chance.is(75)) && { count: true }),
      ...this.#measures(name, 35, () => true),
      ...((isGrouped || chance.is(3)) && this.#groupOptions(name)),
    }
  }

  #groupOptions(name: string): Options {
    const { chance } = this
    const keys = chance.is(70) ? 1 : 2
    const groupBy = Array.from({ length: keys }, () => this.#key(name))
    return {
      groupBy: keys === 1 && chance.is(70) ? groupBy[0] : groupBy,
      ...(chance.is(35) && { having: this.#having(name) }),
      ...(chance.is(50) && { orderBy: this.#order(name, groupBy[0]) }),
      ...(chance.is(40) && { limit: 1 + chance.below(4) }),
    }
  }

  #key(name: string) {
    const { chance } = this
    const field = chance.is(25) ? this.#date(name) : undefined
    if (field !== undefined) {
      return { field, by: chance.of(PERIODS), ...(field !== "day" && chance.is(50) && { timeZone: chance.of(ZONES) }) }
    }
    const relations = Object.keys(ASKED[name]?.one ?? {})
    return relations.length > 0 && chance.is(25) ? chance.of(relations) : this.reads.field(name, UNSORTABLE)
  }

  #having(name: string): Options {
    const { chance } = this
    const condition = () => ({ [chance.of(["gt", "gte", "lt", "lte", "eq", "ne"])]: chance.below(6) })
    return { ...(chance.is(60) && { count: condition() }), ...this.#measures(name, 20, condition) }
  }

  #order(name: string, key: unknown): Options {
    const { chance } = this
    const direction = () => chance.of(["asc", "desc"])
    const by = { ...(chance.is(50) && { count: direction() }), ...this.#measures(name, 20, direction) }
    const { field } = Object(key)
    return chance.is(40) ? { ...by, [String(field ?? key)]: direction() } : by
  }

  /** Returns some measures, each of a field for which it can mostly be computed. */
  #measures(name: string, percent: number, value: () => unknown): Options {
    const { chance, reads } = this
    const measured = MEASURES.filter(() => chance.is(percent)).flatMap((measure) => {
      const isSum = ["sum", "avg"].includes(measure)
      const field = isSum ? this.#number(name) : reads.field(name, chance.is(95) ? WITHOUT_EXTREMES : [])
      return field === undefined ? [] : [[measure, { [field]: value() }]]
    })
    return Object.fromEntries(measured)
  }

  #number(name: string) {
    return this.#ofKind(name, NOT_NUMBERS)
  }

  #date(name: string) {
    return this.#ofKind(name, NOT_DATES)
  }

  #ofKind(name: string, unfit: readonly Kind[]) {
    const isThere = Object.values(ASKED[name]?.fields ?? {}).some((kind) => !unfit.includes(kind))
    // The caller may know none of them.
    return isThere ? (this.reads.field(name, unfit) as string | undefined) : undefined
  }
}
