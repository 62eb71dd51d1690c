import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceSearch, SearchIndexColumns } from "../../schema/compile/resource.ts"
import { column, idList, quote } from "../text/fragment.ts"
import { SEARCH_QUEUE } from "./queue.ts"
import { embeddedText, embeddingKey } from "./search-text.ts"
import { VECTORS } from "./vectors.ts"

// A longer text is embedded by its beginning, because few models read more.
const MAX_CHARACTERS = 8_000

/** An index of a table whose rows have keys, by which their vectors are found. */
interface KeyedIndex {
  readonly resource: Resource
  readonly search: ResourceSearch
  readonly index: SearchIndexColumns
  /** The column with the keys. */
  readonly key: string
}

/** Returns the indexes of the resource, one for each locale. */
export function keyedIndexes(resource: Resource): readonly KeyedIndex[] {
  const { search } = resource
  if (search === undefined) return []
  return search.indexes.flatMap((index) =>
    index.key === undefined ? [] : [{ resource, search, index, key: index.key }],
  )
}

/**
 * Selects the keys and texts of those of the records whose text has no vector of this model, each text once. A row
 * whose key does not belong to its text is left out: its index is about to be rebuilt.
 */
export function missingTexts(
  { resource, search, index, key }: KeyedIndex,
  ids: readonly string[],
  model: string,
): Statement {
  const keyOf = column("_row", key)
  const text = embeddedText("_row", search, index)
  return {
    text: `select distinct on (${keyOf}) ${keyOf}, left(_text.text, ${MAX_CHARACTERS})
      from ${quote(resource.table)} _row cross join lateral (select ${text} as text) _text
      where ${column("_row", resource.id.name)} = any(${idList(resource, "$1")})
        and ${keyOf} = ${embeddingKey("_text.text", column("_row", resource.id.name))}
        and not exists (select from ${VECTORS} _stored where _stored.model = $2 and _stored.key = ${keyOf})`,
    values: [ids, model],
  }
}

/** Marks the vectors of the records as used, so that none of them is about to be deleted. */
export function keepVectors({ resource, key }: KeyedIndex, ids: readonly string[], model: string): Statement {
  return {
    text: `update ${VECTORS} _stored set unused_at = null from ${quote(resource.table)} _row
      where _stored.model = $2 and _stored.unused_at is not null and _stored.key = ${column("_row", key)}
        and ${column("_row", resource.id.name)} = any(${idList(resource, "$1")})`,
    values: [ids, model],
  }
}

/** Queues all records of a table for the embedder. `done` names the other steps, for which there is nothing to do. */
export function queueAll({ table, id }: Resource, done: readonly string[]): Statement {
  return {
    text: `insert into ${SEARCH_QUEUE} ("table", record_id, done)
      select $1, ${quote(id.name)}::text, $2::text[] from ${quote(table)}`,
    values: [table, done],
  }
}

/**
 * Deletes the vectors that no record has needed for an hour, then marks those that none needs now. They are marked
 * first, because a record may need one again at this moment; it then takes the mark away.
 */
export function forgetUnused(indexes: readonly KeyedIndex[], model: string): readonly Statement[] {
  const isUsed = indexes
    .map(({ resource, key }) => `exists (select from ${quote(resource.table)} where ${quote(key)} = _stored.key)`)
    .join(" or ")
  const run = (text: string): Statement => ({ text, values: [model] })
  const table = `${VECTORS} _stored`
  return [
    run(`update ${table} set unused_at = null where model = $1 and unused_at is not null and (${isUsed || "false"})`),
    run(`delete from ${table} where model = $1 and unused_at < statement_timestamp() - interval '1 hour'`),
    run(
      `update ${table} set unused_at = statement_timestamp() where model = $1 and unused_at is null
        and not (${isUsed || "false"})`,
    ),
  ]
}
