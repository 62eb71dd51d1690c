import { both } from "../../sql/filter/predicate.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { selectMatching } from "../../sql/read/select.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { byIds } from "../read/by-id.ts"
import { readForAnswer } from "../read/read-for-answer.ts"
import { runAfterRead } from "../read/read-hooks.ts"
import { toRecords } from "../read/records.ts"
import type { PlannedCollection } from "./plan-search.ts"

/** The found records of one collection, as a `find` returns them. */
export interface FoundRecords {
  readonly selection: Selection
  readonly byId: ReadonlyMap<string, FoundDocument>
}

interface FoundDocument {
  readonly record: RecordData
  /** The record's title; null if it has none, or if the title is hidden from the caller. */
  readonly title: string | null
}

/**
 * Reads the found records with these ids like every other read: with computed fields, without hidden fields, and
 * through the `afterRead` hooks. A record that no longer exists or matches is left out.
 */
export async function readFound(
  { ctx, plan, selection: { requested, read } }: PlannedCollection,
  ids: readonly string[],
): Promise<FoundRecords> {
  const { resource, readable, search } = plan
  const predicate = both(byIds(resource, ids), readable)
  const { rows } = await readForAnswer(ctx, selectMatching(read, predicate))
  const found = await toRecords(read, rows)
  const title = search.title?.name
  const facts = found.map((record) => ({ id: String(record["id"]), title: titleOf(record, title) }))
  const records = read === requested || title === undefined ? found : found.map((record) => without(record, title))
  const shown = await runAfterRead(ctx, { selection: requested, operation: "find" }, records)
  const documents = facts.flatMap((fact, index) => {
    const record = shown[index]
    return record ? [[fact.id, { record, title: fact.title }] as const] : []
  })
  return { selection: requested, byId: new Map(documents) }
}

function without(record: RecordData, name: string): RecordData {
  const { [name]: _left, ...others } = record
  return others
}

function titleOf(record: RecordData, name: string | undefined): string | null {
  const title = name === undefined ? undefined : record[name]
  return typeof title === "string" ? title : null
}
