import type { Resource } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { ParseContext } from "../parse/parse-context.ts"
import type { Aggregation } from "./aggregation.ts"
import { MeasureList } from "./measure-list.ts"
import { parseGroupKeys } from "./parse-group-keys.ts"
import { parseGroupOrder } from "./parse-group-order.ts"
import { parseHaving } from "./parse-having.ts"

type Options = Readonly<Record<string, unknown>>

/** Parses the options of an aggregate that say what is computed from the records, and for which groups of them. */
export function parseAggregation(resource: Resource, options: Options, parseContext: ParseContext): Aggregation {
  const keys = parseGroupKeys(resource, options["groupBy"], parseContext)
  const measures = new MeasureList(resource, parseContext)
  measures.addShown(options)
  if (keys.length === 0) {
    if (measures.all.length === 0) throw invalid("", NOTHING_TO_COMPUTE)
    refuseGroupOptions(options)
  }
  const having = parseHaving(options["having"], { resource, measures, parseContext })
  const order = parseGroupOrder(options["orderBy"], { keys, measures })
  return { keys, measures: measures.all, having, order }
}

const NOTHING_TO_COMPUTE = "Name what to compute, such as count: true or sum: { price: true }."

function refuseGroupOptions(options: Options): void {
  const name = ["having", "orderBy", "limit"].find((option) => options[option] !== undefined)
  if (name !== undefined) throw invalid(name, "Without groupBy there is one result. Leave this option out.")
}
