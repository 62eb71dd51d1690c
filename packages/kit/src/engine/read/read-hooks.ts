import type { AfterReadContext, BeforeReadContext } from "../../schema/builders/hooks.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { isPromise } from "../../schema/context/when-ready.ts"
import type { HydratedPart, Selection } from "../../sql/parse/selection.ts"
import type { RecordData } from "../../wire/results/operations.ts"
import { hookContext, returnedRecord } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type Answer, answer, authoredAnswer } from "./answer.ts"
import { changeHydratedParts } from "./hydrated-parts.ts"
import { toRecords } from "./records.ts"
import { revisionHeader, withoutRevision } from "./revision.ts"
import { TimeSlice } from "./time-slice.ts"

type ReadOperation = AfterReadContext["operation"]

/** True if an `afterRead` hook runs on the selected records, or on records that they hydrate. */
export function hasReadHooks({ resource, relations, parts = [] }: Selection): boolean {
  return (
    resource.hooks.afterRead.length > 0 || [...relations, ...parts].some(({ selection }) => hasReadHooks(selection))
  )
}

export async function runBeforeRead(
  ctx: OperationContext,
  resource: Resource,
  facts: Pick<BeforeReadContext, "operation" | "id">,
): Promise<void> {
  for (const hook of resource.hooks.beforeRead) await hook(hookContext(ctx, resource, facts))
}

/** The selection that the caller requested, and the selection that was read, which may also contain the revision. */
interface RequestedRecord {
  readonly selection: Selection
  readonly operation: ReadOperation
  readonly readSelection?: Selection
}

/** Makes a record from a row, runs its `afterRead` hooks, and returns the record as the caller sees it. */
export async function answerRecord(
  ctx: OperationContext,
  { selection, operation, readSelection = selection }: RequestedRecord,
  row: readonly unknown[],
): Promise<Answer<RecordData>> {
  const [found = {}] = await toRecords(readSelection, [row])
  const header = revisionHeader(readSelection.resource, found)
  const record = readSelection === selection ? found : withoutRevision(found)
  if (ctx.isNested || !hasReadHooks(selection)) return { ...answer(record, selection), ...header }
  const [shown = record] = await runAfterRead(ctx, { selection, operation }, [record])
  return { ...authoredAnswer(shown), ...header }
}

/** Runs `afterRead` on the records and on their hydrated records, the most deeply nested records first. */
export async function runAfterRead(
  ctx: OperationContext,
  { selection, operation }: { selection: Selection; operation: ReadOperation },
  records: readonly RecordData[],
): Promise<readonly RecordData[]> {
  if (!hasReadHooks(selection)) return records
  for (const relation of selection.relations) {
    await runAfterReadOnRelated(ctx, { selection: relation.selection, operation, name: relation.field.name }, records)
  }
  for (const part of selection.parts ?? []) await runAfterReadOnParts(ctx, { part, operation }, records)
  return runAfterReadOnRecords(ctx, { resource: selection.resource, operation }, records)
}

async function runAfterReadOnRelated(
  ctx: OperationContext,
  { name, ...asked }: { selection: Selection; operation: ReadOperation; name: string },
  records: readonly RecordData[],
): Promise<void> {
  if (!hasReadHooks(asked.selection)) return
  const turn = new TimeSlice()
  // The cast is safe: the records were made for this response alone, so they may be changed in place.
  for (const record of records as readonly Record<string, unknown>[]) {
    if (turn.isOver) await turn.next()
    const related = record[name]
    if (typeof related !== "object" || related === null) continue
    const list: readonly RecordData[] = Array.isArray(related) ? related : [related]
    const shown = await runAfterRead(ctx, asked, list)
    record[name] = Array.isArray(related) ? shown : shown[0]
  }
}

async function runAfterReadOnParts(
  ctx: OperationContext,
  { part, operation }: { part: HydratedPart; operation: ReadOperation },
  records: readonly RecordData[],
): Promise<void> {
  const { selection, field } = part
  if (!hasReadHooks(selection)) return
  const turn = new TimeSlice()
  // The cast is safe: the records were made for this response alone, so they may be changed in place.
  for (const record of records as readonly Record<string, unknown>[]) {
    if (turn.isOver) await turn.next()
    const found: RecordData[] = []
    changeHydratedParts(part, record[field.name], (value) => {
      if (isRecord(value)) found.push(value)
      return value
    })
    if (found.length === 0) continue
    const shown = await runAfterRead(ctx, { selection, operation }, found)
    const byRecord = new Map<unknown, RecordData | undefined>(found.map((each, index) => [each, shown[index]]))
    record[field.name] = changeHydratedParts(part, record[field.name], (value) => byRecord.get(value) ?? value)
  }
}

function isRecord(value: unknown): value is RecordData {
  return typeof value === "object" && value !== null
}

async function runAfterReadOnRecords(
  ctx: OperationContext,
  { resource, operation }: { resource: Resource; operation: ReadOperation },
  records: readonly RecordData[],
): Promise<readonly RecordData[]> {
  let current = records
  for (const hook of resource.hooks.afterRead) {
    const call = (row: RecordData) =>
      hook(hookContext(ctx, resource, { operation, row: row as Record<string, unknown> }))
    current = await runHookInSlices(current, call)
  }
  return current
}

async function runHookInSlices(
  records: readonly RecordData[],
  call: (row: RecordData) => unknown,
): Promise<readonly RecordData[]> {
  const shown: RecordData[] = []
  const turn = new TimeSlice()
  for (const row of records) {
    if (turn.isOver) await turn.next()
    const outcome = call(row)
    // Awaits only a promise: an `await` per row takes four times as long, 0.29 ms instead of 0.07 ms for 1,000 rows.
    const returned = isPromise(outcome) ? await outcome : outcome
    shown.push(returnedRecord(returned) ?? row)
  }
  return shown
}
