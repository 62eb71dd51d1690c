import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { quote } from "../text/fragment.ts"
import { changedLocaleMap } from "../text/localized-sql.ts"
import { chosenRow } from "../versions/read-versions.ts"
import { type RowRules, ruledStatement } from "./ruled-statement.ts"
import { counterAssignments, type FieldValues, storedValues, updateWithChanges } from "./write.ts"
import { copyUpdate, versionUser } from "./write-copy.ts"

interface RowRevert {
  readonly id: string
  readonly versionId: string
  /** The fields that get their values from the version, in all locales. */
  readonly copied: readonly ResourceField[]
  /** The fields that get these values in place of the version's values. */
  readonly values: FieldValues
}

/**
 * Reverts a row to one of its versions. Evaluates the rules on the reverted row, and returns its id and the verdicts.
 */
export function revertRow(
  resource: Resource,
  { id, versionId, copied, values }: RowRevert,
  rules: RowRules,
): Statement {
  const set = [...assignmentsOf({ copied, values }), ...counterAssignments(resource, quote(resource.table))]
  const where = `${quote(resource.id.name)} = $${values.size + 1}`
  const extraCte = chosenRow(resource, `$${values.size + 2}`)
  const changed = [...values.keys(), ...copied]
  const update = { set, where, extraCte, kind: "revert", changed } as const
  const text = (verdicts: readonly string[]) => updateWithChanges(resource, { ...update, verdicts }, [])
  return ruledStatement({ values: [...storedValues(values), id, versionId], text }, rules)
}

interface CopyRevert extends RowRevert {
  /** The user who is stored as the author of the new version. */
  readonly user: string | null
}

/** Like `revertRow`, for the stage copy of a locked record. */
export function revertCopy(
  copy: Resource,
  { id, versionId, copied, values, user }: CopyRevert,
  rules: RowRules,
): Statement {
  const { size } = values
  const extraCte = chosenRow(copy, `$${size + 2}`)
  const set = assignmentsOf({ copied, values })
  const update = { set, extraCte, kind: "revert", ids: `$${size + 1}`, user: `$${size + 3}` } as const
  const text = (verdicts: readonly string[]) => copyUpdate(copy, { ...update, verdicts })
  return ruledStatement({ values: [...storedValues(values), [id], versionId, ...versionUser(copy, user)], text }, rules)
}

function assignmentsOf({ copied, values }: Pick<RowRevert, "copied" | "values">): string[] {
  return [
    ...[...values.keys()].map((field, index) => inputAssignment(field, `$${index + 1}`)),
    ...copied.map((field) => `${quote(field.name)} = ${chosen(field)}`),
  ]
}

function chosen({ name }: ResourceField): string {
  return `(select _chosen.${quote(name)} from _chosen)`
}

// Returns the SQL that assigns a value to a field. In a localized field, only the written locale gets the value; all
// other locales get their values from the version.
function inputAssignment(field: ResourceField, value: string): string {
  return `${quote(field.name)} = ${field.localized ? changedLocaleMap(chosen(field), field, value) : value}`
}
