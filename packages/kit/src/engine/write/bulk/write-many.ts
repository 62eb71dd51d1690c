import type { HookRow } from "../../../schema/builders/hooks.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { isAlways, NEVER, type Predicate } from "../../../sql/filter/predicate.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { FieldCondition } from "../../access/field-rights.ts"
import { withErrorPath } from "../../context/error-path.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { Answer } from "../../read/answer.ts"
import { byIds, recordKey } from "../../read/by-id.ts"
import { TimeSlice } from "../../read/time-slice.ts"
import { namedValues, parseHookedInput, readWholeRows, runAfterChange } from "../hooks.ts"
import type { FieldInput } from "../input.ts"
import { noStep, type WriteSteps, writeInTransaction } from "../order.ts"
import { rulesOnProposedRow } from "../proposed-row.ts"
import { type NestedWrites, takeNestedWrites } from "../relations/nested.ts"
import { findUnreadableParts, refuseNewParts, type UnreadableParts } from "../relations/part-targets.ts"
import { checkRelationTargets } from "../relations/relation-targets.ts"
import { writeRelated, writeTargets } from "../relations/write-related.ts"
import type { WriteRights } from "../rights.ts"
import { checkFieldsOfRows } from "./bulk-fields.ts"
import { checkWrittenRows, groupByPredicate, readWrittenRows } from "./bulk-rows.ts"
import { type RuledChange, writeRows } from "./write-rows.ts"

/** An update of many records, as its operation describes it. */
interface ManyWrite {
  readonly resource: Resource
  /** The stage whose copies of the records are written. `resource` is then the resource of these copies. */
  readonly stage: string | undefined
  readonly rights: WriteRights
  /** Locks the rows, evaluates the rules on them, and returns the update of each row. */
  lock(ctx: WriteContext): Promise<readonly LockedUpdate[]>
  checkRevision?(ctx: WriteContext): Promise<void>
  /** Returns the changes of the rows from input that was parsed before. Undefined if change hooks run on the input. */
  readonly changesOf: ((rows: readonly LockedUpdate[]) => readonly BulkRowChange[]) | undefined
}

/** The update of one locked row. */
export interface LockedUpdate {
  readonly id: string
  readonly data: unknown
  /** The JSON path of `data` in the request body, if the body has several updates. */
  readonly path?: string
  /** The rows in which the update rule allows this update. */
  readonly predicate: Predicate
  /** The fields in the input whose field rules depend on the row. */
  readonly fields: readonly FieldCondition[]
}

/** The change of one row in a bulk write, ready to be written. */
export interface BulkRowChange {
  readonly id: string
  readonly path?: string | undefined
  /** The values to write. Rows without nested writes may share one map. */
  readonly values: FieldInput
  readonly nested: NestedWrites | undefined
  /** The data and the old row for the `afterChange` hooks. Absent if there are no change hooks. */
  readonly hooked?: { readonly data: RecordData; readonly original: HookRow }
}

/** The rows of a bulk write and their changes. */
interface BulkChange {
  readonly rows: readonly LockedUpdate[]
  readonly changes: readonly BulkRowChange[]
}

/** Updates many records in one transaction, with as few statements as possible. */
export function writeMany(ctx: OperationContext, write: ManyWrite): Promise<Answer<readonly RecordData[]>> {
  return writeInTransaction(withRelatedState(ctx), manySteps(write))
}

function withRelatedState(ctx: OperationContext): OperationContext {
  return { ...ctx, nestedWriteState: { count: 0, appendedKeys: new Set() } }
}

type ManySteps = WriteSteps<readonly LockedUpdate[], BulkChange, Answer<readonly RecordData[]>>

function manySteps(write: ManyWrite): ManySteps {
  const { resource, rights, lock, checkRevision, changesOf } = write
  return {
    lock,
    checkRevision: checkRevision ?? noStep,
    prepare: async (ctx, rows) => {
      return { rows, changes: changesOf ? changesOf(rows) : await runBefore(ctx, write, rows) }
    },
    writeTargets: (ctx, { changes }) => writeTargetsOfEach(ctx, resource, changes),
    writeRows: async (ctx, { rows, changes }) => {
      await writeRows(ctx, resource, await withRules(ctx, rows, changes))
      for (const { id } of changes) ctx.nestedWriteState?.appendedKeys.add(recordKey(resource, id))
    },
    writeRelated: async (ctx, { changes }) => {
      for (const { id, nested, path } of changes) {
        if (nested) await withErrorPath(path, () => writeRelated(ctx, { resource, id }, nested))
      }
    },
    checkResult: async (ctx, { rows }) => {
      for (const { predicate, ids } of await groupByPredicate(rows))
        if (!isAlways(predicate)) await checkWrittenRows(ctx, { resource, ids }, predicate)
      await checkFieldsOfRows(ctx, { resource, rows }, "update this field of a record in this state")
    },
    runAfterHooks: (ctx, { changes }) => runAfter(ctx, write, changes),
    readBack: (ctx, { rows }) => readWrittenRows(ctx, { resource, ids: rows.map(({ id }) => id) }, rights),
  }
}

// Parses the input of each row, with the hooks before the change.
async function runBefore(
  ctx: WriteContext,
  { resource, stage }: ManyWrite,
  rows: readonly LockedUpdate[],
): Promise<readonly BulkRowChange[]> {
  const ids = rows.map(({ id }) => id)
  const originals = await readWholeRows(ctx, resource, byIds(resource, ids))
  const changes: BulkRowChange[] = []
  const turn = new TimeSlice()
  for (const { id, data, path } of rows) {
    if (turn.isOver) await turn.next()
    const original = originals.get(id) ?? {}
    const change = { resource, operation: "update", data, original, stage } as const
    const values = await withErrorPath(path, () => parseHookedInput(ctx, change))
    const nested = await withErrorPath(path, async () => takeNestedWrites(resource, values))
    changes.push({ id, values, nested, path, hooked: { data: namedValues(values), original } })
  }
  return changes
}

// Adds the rules that are evaluated on each row with its new values. `rows` and `changes` are in the same order.
async function withRules(
  ctx: WriteContext,
  rows: readonly LockedUpdate[],
  changes: readonly BulkRowChange[],
): Promise<readonly RuledChange[]> {
  const ruled: RuledChange[] = []
  const turn = new TimeSlice()
  // Rows without nested writes whose rules are the same share one list of rules, and then one statement.
  const known = new Map<Predicate, Pick<RuledChange, "rules" | "fields">>()
  for (const [index, { id, values, nested, path }] of changes.entries()) {
    if (turn.isOver) await turn.next()
    const { predicate, fields } = rows[index] ?? UNRULED
    const shared = nested ? undefined : known.get(predicate)
    if (shared?.fields === fields) {
      ruled.push({ id, values, path, ...shared })
      continue
    }
    const rules = await rulesOnProposedRow(ctx, nested, [predicate, ...fields.map((field) => field.predicate)])
    known.set(predicate, { rules, fields })
    ruled.push({ id, values, path, rules, fields })
  }
  return ruled
}

const UNRULED: Pick<LockedUpdate, "predicate" | "fields"> = { predicate: NEVER, fields: [] }

async function writeTargetsOfEach(
  ctx: WriteContext,
  resource: Resource,
  changes: readonly BulkRowChange[],
): Promise<void> {
  const turn = new TimeSlice()
  // Rows that share their values point to the same records, which are checked once.
  const checked = new Map<FieldInput, UnreadableParts>()
  for (const { id, values, nested, path } of changes) {
    if (turn.isOver) await turn.next()
    const known = checked.get(values)
    const unreadable = known ?? (await findUnreadableParts(ctx, values))
    if (unreadable.length > 0) await withErrorPath(path, () => refuseNewParts(ctx, unreadable, { resource, id }))
    if (known) continue
    checked.set(values, unreadable)
    if (nested) await withErrorPath(path, () => writeTargets(ctx, nested, values))
    await checkRelationTargets(ctx, values, nested)
    // Makes the update include this row even if none of its columns changes, because a change to its related records
    // counts as a change of the record.
    if (nested && values.size === 0) values.set(resource.id, id)
  }
}

async function runAfter(
  ctx: WriteContext,
  { resource, stage }: ManyWrite,
  changes: readonly BulkRowChange[],
): Promise<void> {
  if (resource.hooks.afterChange.length === 0) return
  const turn = new TimeSlice()
  for (const { id, hooked } of changes) {
    if (turn.isOver) await turn.next()
    if (hooked) await runAfterChange(ctx, { resource, operation: "update", stage, ...hooked }, id)
  }
}
