import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { isAlways, type Predicate } from "../filter/predicate.ts"
import { visibleSql, whereSql } from "../filter/where.ts"
import type { Selection } from "../parse/selection.ts"
import { condition } from "../read/select.ts"
import { tablesOfRead } from "../read/tables-read.ts"
import { column, Parameters, quote } from "../text/fragment.ts"
import type { Aggregation, GroupKey, Measure } from "./aggregation.ts"

/** A read of computed values, parsed and checked. */
export interface AggregateRead {
  readonly resource: Resource
  readonly predicate: Predicate
  readonly aggregation: Aggregation
  /** The most groups to return. */
  readonly limit: number
}

/**
 * Returns the statement that computes the values: of all records that match, or of each group of them. The columns are the
 * keys, then the values. There is one group more than the limit if there are more groups.
 */
export function selectAggregate(read: AggregateRead): Statement {
  const parameters = new Parameters()
  const { aggregation } = read
  const groups = groupsSql(read, parameters)
  return {
    text: aggregation.keys.length === 0 ? groups : pageSql(groups, read, parameters),
    values: parameters.values,
    tablesRead: () => tablesOfRead({ selection: selectionOf(read), predicate: read.predicate }),
  }
}

/** Returns the fields of which the values are computed, as a selection. */
export function selectionOf({ resource, aggregation: { keys, measures } }: AggregateRead): Selection {
  const named = measures.flatMap((measure) => (measure.kind === "count" ? [] : [measure.field]))
  return { resource, fields: [...new Set([...keys.map(({ field }) => field), ...named])], relations: [] }
}

function groupsSql({ resource, predicate, aggregation }: AggregateRead, parameters: Parameters): string {
  const { keys, measures } = aggregation
  const alias = parameters.alias()
  const columns = [
    ...keys.map((key) => `${keySql(key, alias, parameters)} as ${key.column}`),
    ...measures.map((measure) => `${measureSql(measure, alias, parameters)} as ${measure.column}`),
  ]
  const rows = `select ${columns.join(", ")} from ${quote(resource.table)} ${alias}`
  // By its place in the list, each key is computed once per row.
  const places = keys.map((_key, index) => index + 1).join(", ")
  const groups = keys.length === 0 ? "" : ` group by ${places}`
  return `${rows}${condition(predicate, alias, parameters)}${groups}`
}

function pageSql(groups: string, { aggregation, limit }: AggregateRead, parameters: Parameters): string {
  const { having, order } = aggregation
  const alias = parameters.alias()
  const where = isAlways(having) ? "" : ` where ${whereSql(having, alias, parameters)}`
  const keys = order.map(({ column: name, direction }) => `${column(alias, name)} ${direction} nulls last`)
  return `select * from (${groups}) ${alias}${where} order by ${keys.join(", ")} limit ${parameters.add(limit + 1)}`
}

function keySql({ field, periods }: GroupKey, alias: string, parameters: Parameters): string {
  const value = visibleSql(field, alias, parameters)
  if (periods === undefined) return value
  const { by, timeZone } = periods
  // Without a time zone, the value is a date. A cast to a timestamp keeps the session's time zone out of it.
  const local =
    timeZone === undefined ? `${value}::timestamp` : `${value} at time zone ${parameters.add(timeZone)}::text`
  return by === "day" ? `(${local})::date` : `date_trunc('${by}', ${local})::date`
}

function measureSql(measure: Measure, alias: string, parameters: Parameters): string {
  if (measure.kind === "count") return "count(*)"
  const value = `${measure.kind}(${visibleSql(measure.field, alias, parameters)})`
  return isAverageOfIntegers(measure.kind, measure.field) ? `${value}::double precision` : value
}

function isAverageOfIntegers(kind: Measure["kind"], { type }: ResourceField): boolean {
  return kind === "avg" && type.numberType === "integer"
}
