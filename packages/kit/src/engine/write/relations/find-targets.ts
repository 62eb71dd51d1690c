import { isProblem } from "../../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { operatorsOf } from "../../../sql/filter/operators.ts"
import { both, type Predicate, predicateOf } from "../../../sql/filter/predicate.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { lockUniqueValue } from "../../../sql/write/first-write.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import { evaluateActiveAccess } from "../../access/authorize.ts"
import { rowsVisibleInAnyStage } from "../../access/stage.ts"
import { visibilityOf } from "../../access/visibility.ts"
import type { OperationContext } from "../../context/operation-context.ts"

/** Returns those of the given ids whose records the caller may read. */
export async function readableIds(
  ctx: OperationContext,
  target: Resource,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  if (ids.length === 0) return new Set()
  const rows = await selectReadable(ctx, target, compare(target.id, { operator: "in", operand: ids }))
  return new Set(rows)
}

interface UniqueWhere {
  readonly where: unknown
  readonly path: string
}

/**
 * Returns the id of the record that a `connectOrCreate` names by a unique field, if the caller may read it. If there is
 * no such record, takes a lock: other transactions that look for this value wait until this transaction has ended, and
 * then find the record that it created.
 */
export async function findByUnique(
  ctx: OperationContext,
  target: Resource,
  given: UniqueWhere,
): Promise<string | undefined> {
  const named = await parseUnique(ctx, target, given)
  const found = await findNamed(ctx, target, named)
  if (found !== undefined) return found
  await ctx.connection.query(lockUniqueValue(target, named.field, named.operand))
  return findNamed(ctx, target, named)
}

async function findNamed(
  ctx: OperationContext,
  target: Resource,
  { field, operand }: { readonly field: ResourceField; readonly operand: unknown },
): Promise<string | undefined> {
  for (const meaning of lookupFieldsOf(field)) {
    const [id] = await selectReadable(ctx, target, compare(meaning, { operator: "eq", operand }))
    if (id !== undefined) return String(id)
  }
  return undefined
}

// Returns the variants of the field in which to look up a value: first without locale fallbacks, then with them. Only a
// locale's own values are unique; several records may show the same fallback value.
function lookupFieldsOf(field: ResourceField): readonly ResourceField[] {
  const { localized } = field
  if (localized === undefined || localized.chain.length === 1) return [field]
  return [{ ...field, localized: { ...localized, chain: [localized.locale] } }, field]
}

async function parseUnique(ctx: OperationContext, target: Resource, { where, path }: UniqueWhere) {
  const entries = Object.entries(where ?? {})
  const [name, value] = entries[0] ?? []
  if (entries.length !== 1 || name === undefined) throw invalid(path, "Expected one unique field and its value.")
  const fields = (await visibilityOf(ctx, target, NOTHING_REACHED)).fields(target)
  const unique = [...fields.values()].filter((field) => field.unique || field === target.id)
  const field = unique.find((candidate) => candidate.name === name)
  if (field === undefined) {
    const isReadable = (await evaluateActiveAccess(ctx, target, { operation: "read" })).kind !== "deny"
    const names = isReadable ? unique.map((candidate) => candidate.name) : []
    throw invalid(`${path}.${name}`, `There is no unique field "${name}".${didYouMean(name, names)}`)
  }
  // A relation's input may be a nested write, but in a filter its value is always an id, so it is parsed as an operand.
  const parsed = field.target ? field.type.parseOperand(value) : field.type.parse(value)
  if (isProblem(parsed)) throw invalid(`${path}.${name}`, parsed.problem)
  return { field, operand: parsed.value }
}

const NOTHING_REACHED: ReadonlySet<Resource> = new Set()

function compare(field: ResourceField, { operator: name, operand }: { operator: string; operand: unknown }): Predicate {
  const operator = operatorsOf(field.type.operators).get(name)
  if (operator === undefined) throw new Error(`The operator table has no "${name}" for "${field.name}".`)
  return { kind: "compare", field, operator, operand }
}

async function selectReadable(ctx: OperationContext, target: Resource, predicate: Predicate): Promise<unknown[]> {
  const access = await evaluateActiveAccess(ctx, target, { operation: "read" })
  const seen = await rowsVisibleInAnyStage(ctx, target, predicate)
  const selection = { resource: target, fields: [target.id], relations: [] }
  const { rows } = await ctx.connection.query(selectMatching(selection, both(predicateOf(access), seen)))
  return rows.map((row) => row[0])
}
