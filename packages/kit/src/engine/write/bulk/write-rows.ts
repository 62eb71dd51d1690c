import type { RowValues, Statement } from "../../../ports/database.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import type { RowRules } from "../../../sql/write/ruled-statement.ts"
import { updateCopies, updateEachCopy } from "../../../sql/write/write-copy.ts"
import { type EachUpdate, predicateKey, updateEachRow, updateRows } from "../../../sql/write/write-many.ts"
import { type FieldCondition, refusedField } from "../../access/field-rights.ts"
import { prefixErrorPaths } from "../../context/error-path.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import type { FieldInput } from "../input.ts"
import { deniedState, inThisState } from "../rights.ts"
import { stampChange, userOf } from "../stamp.ts"

const ROWS_PER_STATEMENT = 500

/** The change of one row, with the rules that its statement evaluates on the row with its new values. */
export interface RuledChange {
  readonly id: string
  readonly values: FieldInput
  /** The update rule, and after it the rules of `fields`. Empty if no rule depends on the row. */
  readonly rules: RowRules
  /** The fields in the input whose field rules depend on the row. */
  readonly fields: readonly FieldCondition[]
  /** The JSON path of the row's data in the request body, if the body has data for several rows. */
  readonly path?: string | undefined
}

/**
 * Updates the rows, which may be those of stage copies. Rows with the same values, or at least with values for the same
 * fields, share a statement, unless their rules differ. Throws if the rules refuse a row.
 */
export async function writeRows(ctx: WriteContext, resource: Resource, changes: readonly RuledChange[]): Promise<void> {
  const [first] = changes
  if (first === undefined) return
  const { values: shared, rules } = first
  stampAll(ctx, resource, changes)
  if (changes.every((change) => change.values === shared && change.rules === rules)) {
    if (shared.size === 0 && !countsWrites(resource)) return
    const update = { ids: idsOf(changes), values: shared }
    refuseRows(ctx, changes, await runUpdate(ctx, updateWithSameValues(ctx, resource, { ...update, rules })))
    return
  }
  for (const { fields, changes: alike } of groupAlike(changes)) {
    if (fields.length === 0 && !countsWrites(resource)) continue
    // The rows are split over several statements, because the values of each statement are serialized as one JSON
    // string, and serializing a long string blocks the event loop.
    for (let from = 0; from < alike.length; from += ROWS_PER_STATEMENT) {
      const some = alike.slice(from, from + ROWS_PER_STATEMENT)
      const statement = updateWithOwnValues(ctx, resource, { fields, changes: some, rules: some[0]?.rules ?? [] })
      refuseRows(ctx, some, await runUpdate(ctx, statement))
    }
  }
}

// True if a write without values still counts, in the revision or the versions of a record.
function countsWrites({ revision, versions }: Resource): boolean {
  return (revision ?? versions) !== undefined
}

async function runUpdate({ connection }: WriteContext, statement: Statement): Promise<readonly RowValues[]> {
  return (await connection.query(statement)).rows
}

function updateWithSameValues(
  ctx: WriteContext,
  resource: Resource,
  { rules, ...update }: { readonly ids: readonly string[]; readonly values: FieldInput; readonly rules: RowRules },
): Statement {
  if (resource.working) return updateCopies(resource, { ...update, user: userOf(ctx) }, rules)
  return updateRows(resource, update, rules)
}

function updateWithOwnValues(
  ctx: WriteContext,
  resource: Resource,
  { rules, ...update }: EachUpdate & { readonly rules: RowRules },
): Statement {
  if (resource.working) return updateEachCopy(resource, { ...update, user: userOf(ctx) }, rules)
  return updateEachRow(resource, update, rules)
}

// Throws if the rules refuse one of the written rows, each of which has its id and the verdicts.
function refuseRows(ctx: WriteContext, changes: readonly RuledChange[], written: readonly RowValues[]): void {
  const refused = written.find(([, ...verdicts]) => verdicts.includes(false))
  if (refused === undefined) return
  const [id, isAllowed, ...verdicts] = refused
  if (isAllowed === false) throw deniedState(ctx, "update")
  const { fields = [], path } = changes.find((change) => change.id === id) ?? {}
  const condition = fields[verdicts.indexOf(false)]
  if (condition === undefined) throw deniedState(ctx, "update")
  const refusal = refusedField(condition.field, inThisState("update"))
  throw path === undefined ? refusal : prefixErrorPaths(path, refusal)
}

// Sets the same update time in all rows.
function stampAll(ctx: WriteContext, resource: Resource, changes: readonly RuledChange[]): void {
  const now = ctx.now()
  const still = { ...ctx, now: () => now }
  for (const { values } of changes) stampChange(still, resource, values)
}

function idsOf(changes: readonly RuledChange[]): string[] {
  return changes.map(({ id }) => id)
}

/** Changes that set the same fields, and that have the same rules. */
interface AlikeChanges {
  readonly fields: readonly ResourceField[]
  readonly changes: RuledChange[]
}

function groupAlike(changes: readonly RuledChange[]): Iterable<AlikeChanges> {
  const groups = new Map<string, AlikeChanges>()
  for (const change of changes) {
    const fields = [...change.values.keys()].sort((left, right) => (left.name < right.name ? -1 : 1))
    const key = [fields.map(({ name }) => name).join(), ...change.rules.map(predicateKey)].join(" ")
    const group = groups.get(key) ?? { fields, changes: [] }
    group.changes.push(change)
    groups.set(key, group)
  }
  return groups.values()
}
