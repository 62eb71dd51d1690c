import type { QueryResult, RowValues, Statement } from "../../../ports/database.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import type { Aggregation, GroupKey, Measure } from "../../../sql/aggregate/aggregation.ts"
import { type AggregateRead, selectAggregate } from "../../../sql/aggregate/select-aggregate.ts"
import type { ExtendedMeta } from "../../../wire/codecs/extended-json.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { AggregateGroup, AggregateGroups, Aggregates } from "../../../wire/results/aggregates.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import type { Answer } from "../../read/answer.ts"
import { planAggregate } from "../../read/plan-read.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"

type AggregateResult = Aggregates | AggregateGroups

/** Computes values from the records that match the options and that the caller may read: of all of them, or by group. */
export async function aggregateRecords(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<AggregateResult>> {
  return readPlannedAggregate(ctx, await planAggregate(ctx, resource, given))
}

/** Runs a planned aggregate. */
export async function readPlannedAggregate(
  ctx: OperationContext,
  read: AggregateRead,
): Promise<Answer<AggregateResult>> {
  const { aggregation, limit } = read
  const { rows } = await readValues(ctx, selectAggregate(read))
  const isGrouped = aggregation.keys.length > 0
  const value = isGrouped ? groupsOf(aggregation, { rows, limit }) : valuesOf(aggregation, rows[0] ?? [])
  return { value, meta: () => metaOf(aggregation, isGrouped ? "groups.*." : "") }
}

// The messages for errors of Postgres about which a caller can do something, by their codes.
const REMEDIES: ReadonlyMap<unknown, string> = new Map([
  ["22003", "A computed number is beyond the range of its type. Compute it of fewer records."],
  ["22023", "The database does not know this time zone. Name another one."],
])

async function readValues(ctx: OperationContext, statement: Statement): Promise<QueryResult> {
  try {
    return await readForAnswer(ctx, statement)
  } catch (cause) {
    const message = REMEDIES.get(Reflect.get(Object(cause), "code"))
    if (message === undefined) throw cause
    throw new ApiError("VALIDATION_ERROR", { fieldErrors: [{ path: "", message }], cause })
  }
}

function groupsOf(
  aggregation: Aggregation,
  { rows, limit }: { readonly rows: readonly RowValues[]; readonly limit: number },
): AggregateGroups {
  const groups = rows
    .slice(0, limit)
    .map((row): AggregateGroup => ({ key: keyOf(aggregation.keys, row), ...valuesOf(aggregation, row) }))
  return { groups, hasMore: rows.length > limit }
}

function keyOf(keys: readonly GroupKey[], row: RowValues): AggregateGroup["key"] {
  return Object.fromEntries(
    keys.map(({ field, periods }, index) => {
      const value = row[index]
      const { fromWider } = field.type
      return [field.name, value !== null && fromWider && periods === undefined ? fromWider(value) : value]
    }),
  )
}

function valuesOf({ keys, measures }: Aggregation, row: RowValues): Aggregates {
  const values: Record<string, unknown> = {}
  for (const [index, measure] of measures.entries()) {
    if (!measure.isShown) continue
    const value = computedValue(measure, row[keys.length + index])
    if (measure.kind === "count") values["count"] = value
    else values[measure.kind] = { ...Object(values[measure.kind]), [measure.field.name]: value }
  }
  return values
}

function computedValue(measure: Measure, value: unknown): unknown {
  return value === null ? null : measure.type.read(value, pathOf(measure))
}

function pathOf(measure: Measure): string {
  return measure.kind === "count" ? "count" : `${measure.kind}.${measure.field.name}`
}

function metaOf({ keys, measures }: Aggregation, prefix: string): ExtendedMeta {
  const tagged = [
    ...keys.map(({ field, periods }) => [`key.${field.name}`, periods ? undefined : field.type.extended] as const),
    ...measures.map((measure) => [pathOf(measure), measure.isShown ? measure.type.extended : undefined] as const),
  ]
  return Object.fromEntries(tagged.flatMap(([path, tag]) => (tag === undefined ? [] : [[`${prefix}${path}`, tag]])))
}
