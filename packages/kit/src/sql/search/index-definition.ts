import { createHash } from "node:crypto"
import type { ResourceSearch, SearchIndexColumns } from "../../schema/search/resource-search.ts"
import { fieldSql } from "../text/field-sql.ts"
import { fieldText } from "./search-text.ts"

/**
 * Returns a hash of everything that the index of a row depends on besides the row itself. An index that was built with
 * another hash is out of date. The author's function `content` counts with its source text.
 */
export function definitionHash({ indexes, content }: ResourceSearch): string {
  const parts = [
    ...indexes.map(indexParts),
    content && [String(content.compute), JSON.stringify(content.with), content.label],
  ]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}

function indexParts({ locale, vector, key, configuration, fields }: SearchIndexColumns): readonly unknown[] {
  const texts = fields.map(({ field, label, isEmbedded }) => [
    fieldText(field, fieldSql("t", field)),
    label,
    isEmbedded,
  ])
  return [locale, vector, key, configuration, texts]
}
