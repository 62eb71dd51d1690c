import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { writeWithChanges } from "../changes/changes.ts"
import { column, idList, quote } from "../text/fragment.ts"
import type { ChangeKind } from "../versions/change-kind.ts"
import { columnsForVerdicts, type RowRules, ruledStatement } from "./ruled-statement.ts"
import { assignment, counterAssignments, type FieldValues, storedValues } from "./write.ts"
import { type EachUpdate, givenRows } from "./write-many.ts"

// The record's working copy holds the revision and version counters. Every write of stage copies increments them there
// and copies them to the stage copies, so that the same number never stands for two different states of a record. All
// other columns of the working copies stay unchanged.

interface CopyUpdate {
  readonly ids: readonly string[]
  readonly values: FieldValues
  /** The user who is stored as the author of the new versions. */
  readonly user: string | null
}

/**
 * Sets the same field values in the stage copies of these locked records. Evaluates the rules on each updated copy, and
 * returns the copy's id and the verdicts.
 */
export function updateCopies(copy: Resource, { ids, values, user }: CopyUpdate, rules: RowRules): Statement {
  const fields = [...values.keys()]
  const set = fields.map((field, index) => assignment(quote(copy.table), field, `$${index + 1}`))
  const update = { set, ids: `$${fields.length + 1}`, user: `$${fields.length + 2}` }
  const text = (verdicts: readonly string[]) => copyUpdate(copy, { ...update, verdicts })
  return ruledStatement({ values: [...storedValues(values), ids, ...versionUser(copy, user)], text }, rules)
}

interface EachCopyUpdate extends EachUpdate {
  readonly user: string | null
}

/**
 * Sets the same fields in the stage copies of these locked records, to values that differ from copy to copy. Evaluates
 * the rules on each updated copy, and returns the copy's id and the verdicts.
 */
export function updateEachCopy(copy: Resource, { fields, changes, user }: EachCopyUpdate, rules: RowRules): Statement {
  const { text: from, set, json } = givenRows(copy, fields, changes)
  const text = (verdicts: readonly string[]) => copyUpdate(copy, { set, from, ids: "$2", user: "$3", verdicts })
  return ruledStatement({ values: [json, changes.map(({ id }) => id), ...versionUser(copy, user)], text }, rules)
}

interface CopyRemoval {
  readonly ids: readonly string[]
  readonly user: string | null
  readonly at: Date
}

/** Deletes the stage copies of these locked records. The version of the removal has the copy as it was. */
export function deleteCopies(copy: Resource, { ids, user, at }: CopyRemoval): Statement {
  const counted = incrementCounters(copy, { ids: "$1", user: "$2" })
  const using = counted === undefined ? "" : " using _counted"
  const removal = `delete from ${quote(copy.table)}${using} where ${isWritten(copy, "$1")}`
  const written = `${removal} returning ${writtenColumns(copy)}`
  const change = { resource: copy, kind: "delete", rows: "touched", written } as const
  return {
    text: writeWithChanges(
      { ...change, ...(counted && { precedingCte: counted }), ...(copy.versions && { at: "$3::timestamptz" }) },
      [],
    ),
    values: [ids, ...versionUser(copy, user), ...(copy.versions ? [at] : [])],
    appendsChanges: true,
  }
}

interface CopyUpdateSql {
  readonly set: readonly string[]
  /** Rows that `set` refers to, under the name `_given`. */
  readonly from?: string
  /** The placeholder of the ids. */
  readonly ids: string
  /** The placeholder of the user. It is bound only if the resource keeps versions. */
  readonly user: string
  readonly kind?: ChangeKind
  /** Another common table expression, which `set` refers to. */
  readonly extraCte?: string
  readonly verdicts?: readonly string[]
}

/** Returns the SQL that updates stage copies, increments their counters, and appends a change for each of them. */
export function copyUpdate(copy: Resource, update: CopyUpdateSql): string {
  const { set, from, ids, user, kind = "update", extraCte, verdicts = [] } = update
  const table = quote(copy.table)
  const id = column(table, copy.id.name)
  const counted = incrementCounters(copy, { ids, user })
  const sources = [...(from ? [from] : []), ...(counted ? ["_counted"] : [])]
  const where = from ? `${isWritten(copy, ids)} and _given.id = ${id}` : isWritten(copy, ids)
  const revision = copy.revision && `${quote(copy.revision.name)} = ${column("_counted", copy.revision.name)}`
  const assigned = [...set, ...(revision ? [revision] : [])]
  // An SQL UPDATE has to set at least one column.
  const list = assigned.length === 0 ? `${quote(copy.id.name)} = ${id}` : assigned.join(", ")
  const written = `update ${table} set ${list}${sources.length > 0 ? ` from ${sources.join(", ")}` : ""}
    where ${where} returning ${writtenColumns(copy, columnsForVerdicts(copy, verdicts))}`
  const preceding = [...(extraCte ? [extraCte] : []), ...(counted ? [counted] : [])]
  const precedingCte = preceding.length > 0 && { precedingCte: preceding.join(", ") }
  return writeWithChanges({ resource: copy, kind, rows: "touched", written, verdicts, ...precedingCte }, [])
}

/** Returns the user as a list of parameters: empty if the resource keeps no versions. */
export function versionUser({ versions }: Resource, user: string | null): readonly (string | null)[] {
  return versions ? [user] : []
}

function isWritten(copy: Resource, ids: string): string {
  const id = column(quote(copy.table), copy.id.name)
  const isGiven = `${id} = any(${idList(copy, ids)})`
  return isCounted(copy) ? `${isGiven} and ${id} = ${column("_counted", copy.id.name)}` : isGiven
}

function isCounted({ working, versions, revision }: Resource): boolean {
  return working !== undefined && (versions ?? revision) !== undefined
}

function incrementCounters(copy: Resource, bound: { readonly ids: string; readonly user: string }): string | undefined {
  const { working, versions, id, revision } = copy
  if (working === undefined || !isCounted(copy)) return undefined
  const table = quote(working.table)
  const set = counterAssignments(working, table)
  if (versions) set.push(`${quote(versions.user.name)} = ${bound.user}`)
  const counted = [id, revision, versions?.number, versions?.user].flatMap((field) =>
    field ? [quote(field.name)] : [],
  )
  const where = `${quote(id.name)} = any(${idList(copy, bound.ids)})`
  return `_counted as (update ${table} set ${set.join(", ")} where ${where} returning ${counted.join(", ")})`
}

// Returns the columns that a write of copies returns: these fields, and all that its versions store.
function writtenColumns(copy: Resource, needed: readonly ResourceField[] = []): string {
  const { table, id, columns, revision, versions } = copy
  const fields = versions ? columns : new Set([id, ...needed])
  const own = [...fields].map((field) => column(field === revision ? "_counted" : quote(table), field.name))
  const counters = versions ? [versions.number, versions.user] : []
  return [...own, ...counters.map(({ name }) => column("_counted", name))].join(", ")
}

/** Locks the stage copies of these records, and returns the ids of those that have one. */
export function lockCopies(copy: Resource, ids: readonly string[]): Statement {
  const id = quote(copy.id.name)
  const where = `${id} = any(${idList(copy, "$1")})`
  return {
    text: `select ${id} from ${quote(copy.table)} where ${where} order by ${id} for no key update`,
    values: [ids],
  }
}
