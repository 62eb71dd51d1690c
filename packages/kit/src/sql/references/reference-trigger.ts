import type { Resource } from "../../schema/compile/resource.ts"
import { column, quote } from "../text/fragment.ts"
import { quoteText } from "../text/literal.ts"
import { partValues } from "../text/part-path.ts"
import { FOLLOW_REFERENCES, REFERENCES_TABLE } from "./reference-table.ts"
import { columnPath, referencedTable } from "./referenced-table.ts"

/** The name of the trigger on each table whose rows have parts that refer to records. */
export const REFERENCES_TRIGGER = "_kit_references"

/** A part of a column that refers to records, as the arguments of a trigger say it. */
export interface FollowedPart {
  readonly column: string
  readonly path: string
  readonly target: string
  /** The type of the target's ids: `uuid` or `text`. */
  readonly type: string
}

/** Returns the parts of a table's columns that refer to records. */
export function followedParts(resource: Resource): readonly FollowedPart[] {
  return resource.columns.flatMap((field) =>
    field.references.map((reference) => ({
      column: field.name,
      path: columnPath(field, reference),
      target: referencedTable(resource, reference),
      type: reference.target.id.type.sqlType,
    })),
  )
}

/** Returns the parts that the arguments of a trigger describe. */
export function partsOf(given: readonly string[]): readonly FollowedPart[] {
  const [name, path, target, type, ...others] = given
  if (name === undefined || path === undefined || target === undefined || type === undefined) return []
  return [{ column: name, path, target, type }, ...partsOf(others)]
}

export function createReferencesTrigger(table: string, parts: readonly FollowedPart[]): string {
  const columns = [...new Set(parts.map((part) => quote(part.column)))]
  const given = parts.flatMap(({ column: name, path, target, type }) => [name, path, target, type].map(quoteText))
  const events = `insert or delete or update of ${columns.join(", ")}`
  return `create trigger ${quote(REFERENCES_TRIGGER)} after ${events} on ${quote(table)} for each row execute function ${FOLLOW_REFERENCES}(${given.join(", ")})`
}

export function dropReferencesTrigger(table: string): string {
  return `drop trigger if exists ${quote(REFERENCES_TRIGGER)} on ${quote(table)}`
}

export function deleteReferencesOf(table: string): string {
  return `delete from ${REFERENCES_TABLE} where "table" = ${quoteText(table)}`
}

/** Returns the SQL that stores the references of the rows that the table already has. */
export function storeReferencesOf(table: string, { column: name, path, target }: FollowedPart): string {
  const value = `${partValues(`${column("_row", name)}, ${quoteText(path)}`)} value`
  const values = [
    quoteText(table),
    "_row.id::text",
    quoteText(name),
    quoteText(path),
    quoteText(target),
    "_target.id::text",
  ]
  return `insert into ${REFERENCES_TABLE} ("table", record, field, path, target_table, target)
    select distinct ${values.join(", ")} from ${quote(table)} _row, ${value}
    join ${quote(target)} _target on jsonb_typeof(value) = 'string' and _target.id::text = value #>> '{}'`
}
