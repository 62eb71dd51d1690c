import type { ResourceField, ResourceSearch, SearchIndexColumns } from "../../schema/compile/resource.ts"
import { textFormOf } from "../../schema/search/searched-text.ts"
import { fieldSql } from "../text/field-sql.ts"
import { column } from "../text/fragment.ts"
import { blocksText, documentText } from "./json-text.ts"

/**
 * Returns the SQL of a searched field's text. `value` is the SQL of the field's value in one locale, as `fieldSql`
 * returns it.
 */
export function fieldText(field: ResourceField, value: string): string {
  switch (textFormOf(field)) {
    case "list":
      return `array_to_string(${value}, E'\\n')`
    case "document":
      return documentText(value)
    case "blocks":
      return blocksText(value, field.type)
    default:
      return value
  }
}

/** Returns the SQL of the author's own text in the index's locale. */
export function contentText(
  alias: string,
  search: Pick<ResourceSearch, "content">,
  { locale }: SearchIndexColumns,
): string | undefined {
  return search.content && `(${column(alias, search.content.column)}->>'${locale}')`
}

/**
 * Returns the SQL of the text that is embedded, in which all who may read the record may find words; null if there is
 * no such text. The key of the embedding is the hash of exactly this text and the id.
 */
export function embeddedText(alias: string, search: ResourceSearch, index: SearchIndexColumns): string {
  const fields = index.fields.filter(({ isEmbedded }) => isEmbedded)
  const texts = fields.map(({ field }) => fieldText(field, fieldSql(alias, field)))
  return joinEmbedded([...texts, ...[contentText(alias, search, index) ?? []].flat()])
}

/** Returns the SQL that joins the texts that are embedded together. */
export function joinEmbedded(texts: readonly string[]): string {
  const parts = texts.map((text) => `nullif(left(${text}, ${MAX_EMBEDDED_CHARACTERS}), '')`)
  return `nullif(left(concat_ws(E'\\n\\n', ${parts.join(", ")}), ${MAX_EMBEDDED_CHARACTERS}), '')`
}

/**
 * Returns the SQL of the key under which the embedding of a record's text is stored. The copies of a record in stages and
 * locales share it. Other records do not, although their text may be equal: whether the text of a record is embedded yet
 * must not depend on others.
 */
export function embeddingKey(text: string, id: string): string {
  return `md5(${id}::text || E'\\n' || ${text})::uuid`
}

// Embedders read only the beginning of a long text: common models read about 8,000 tokens of three to four characters.
const MAX_EMBEDDED_CHARACTERS = 16_000
