import type { Resource } from "../../schema/compile/resource.ts"
import { visibleSql } from "../filter/where.ts"
import type { HydratedPart } from "../parse/selection.ts"
import { column, type Parameters, quote } from "../text/fragment.ts"
import { isLocaleMap } from "../text/locale-map.ts"
import { partPath, partValues, STORED_UUID } from "../text/part-path.ts"

/** The records whose ids are in a field's value, as parts of a subquery of a statement that reads the field's table. */
interface PartRows {
  /** The alias of the table that holds the records. */
  readonly alias: string
  /** Has a row for each place in the value, so that the length of the result follows from the value. */
  readonly from: string
}

/** Returns the records whose ids are in the value of the field in a row of the table with the alias `parent`. */
export function partRows(
  { field, reference, selection }: HydratedPart,
  parent: string,
  parameters: Parameters,
): PartRows {
  const { resource } = selection
  const path = partPath(reference.steps, { ofEachLocale: isLocaleMap(field) })
  const value = visibleSql(field, parent, parameters)
  const [part, listed, alias] = [parameters.alias(), parameters.alias(), parameters.alias()]
  const ids = `select ${idSql(resource, `(${part}.part #>> '{}')`)} from ${partValues(`${value}, '${path} ? (@.type() == "string")', '{}', true`)} ${part}(part)`
  // Postgres expects few items in an array and looks each of them up, but a thousand results of a function.
  const list = `unnest(array(${ids})) ${listed}(id)`
  return {
    alias,
    from: `${list} join ${quote(resource.table)} ${alias} on ${column(alias, resource.id.name)} = ${listed}.id`,
  }
}

// A text that is no id counts as null.
function idSql({ id }: Resource, text: string): string {
  const { sqlType } = id.type
  if (sqlType === "text") return text
  return `case when ${text} ~ '${STORED_UUID}' then ${text}::${sqlType} end`
}
