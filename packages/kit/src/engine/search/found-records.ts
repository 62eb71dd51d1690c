import { both } from "../../sql/filter/predicate.ts"
import { parseSelection } from "../../sql/parse/parse-selection.ts"
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
  { ctx, plan, reading }: PlannedCollection,
  ids: readonly string[],
): Promise<FoundRecords> {
  const { resource, readable, search } = plan
  const selection = parseSelection(resource, {}, reading)
  const predicate = both(byIds(resource, ids), readable)
  const { rows } = await readForAnswer(ctx, selectMatching(selection, predicate))
  const records = await toRecords(selection, rows)
  const facts = records.map((record) => ({ id: String(record["id"]), title: titleOf(record, search.title?.name) }))
  const shown = await runAfterRead(ctx, { selection, operation: "find" }, records)
  const found = facts.flatMap(({ id, title }, index) => {
    const record = shown[index]
    return record ? [[id, { record, title }] as const] : []
  })
  return { selection, byId: new Map(found) }
}

function titleOf(record: RecordData, name: string | undefined): string | null {
  const title = name === undefined ? undefined : record[name]
  return typeof title === "string" ? title : null
}
