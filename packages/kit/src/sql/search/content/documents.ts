import type { Statement } from "../../../ports/database.ts"
import type { Resource, ResourceSearch, SearchIndexColumns } from "../../../schema/compile/resource.ts"
import { fieldSql } from "../../text/field-sql.ts"
import { column, idList, quote } from "../../text/fragment.ts"
import { contentText, fieldText } from "../search-text.ts"

/** The name of the text that the author's function `content` returns. No field has such a name. */
export const CONTENT_TEXT = "_content"

// The built-in index reads as much of a text.
const MAX_CHARACTERS = 100_000

// The key of an advisory lock: an arbitrary number that no other advisory lock of the framework uses.
const DOCUMENT_LOCKS = 7_503

/** Lets only one transaction at a time send documents of a table, so that no older text replaces a newer one. */
export function lockDocuments({ table }: Resource): Statement {
  return { text: "select pg_advisory_xact_lock($1::int, hashtext($2))", values: [DOCUMENT_LOCKS, table] }
}

/** Selects the ids of those of the rows that are not deleted, each followed by its texts in the locale of the index. */
export function selectTexts(
  { resource, search }: { readonly resource: Resource; readonly search: ResourceSearch },
  index: SearchIndexColumns,
  ids: readonly string[],
): Statement {
  const { table, id, deletedAt } = resource
  const content = contentText("_row", search, index)
  const texts = index.fields.map(({ field }) => fieldText(field, fieldSql("_row", field)))
  const columns = [...texts, ...(content === undefined ? [] : [content])].map(
    (text) => `left(${text}, ${MAX_CHARACTERS})`,
  )
  const isKept = deletedAt ? ` and ${column("_row", deletedAt.name)} is null` : ""
  const key = column("_row", id.name)
  const text = `select ${[`${key}::text`, ...columns].join(", ")} from ${quote(table)} _row
    where ${key} = any(${idList(resource, "$1")})${isKept}`
  return { text, values: [ids] }
}

/** Returns the id and the texts by name of a row that `selectTexts` has selected. Empty texts are left out. */
export function decodeTexts(
  [id, ...values]: readonly unknown[],
  { fields }: SearchIndexColumns,
): { readonly id: string; readonly texts: Readonly<Record<string, string>> } {
  const named = values.map((value, place) => [fields[place]?.field.name ?? CONTENT_TEXT, value] as const)
  const texts = named.flatMap(([name, text]) =>
    typeof text === "string" && text !== "" ? [[name, text] as const] : [],
  )
  return { id: String(id), texts: Object.fromEntries(texts) }
}
