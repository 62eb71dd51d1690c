import { createHash } from "node:crypto"
import { databaseName } from "../../schema/compile/names.ts"
import type { Resource, ResourceSearch, SearchIndexColumns } from "../../schema/compile/resource.ts"
import { fieldSql } from "../text/field-sql.ts"
import { column, quote } from "../text/fragment.ts"
import { SEARCH_QUEUE } from "./queue.ts"
import { contentText, embeddingKey, fieldText, joinEmbedded } from "./search-text.ts"
import { PREPARE_VECTOR_FUNCTION, type VectorPart, vectorOf } from "./search-vector.ts"

/** The name of the trigger that keeps the search columns of a table. It calls a function of the table's own. */
export const SEARCH_TRIGGER = "_kit_search"

/** Returns the columns from which the search columns are made, in the order of the searched fields. */
export function indexedColumns({ fields, content }: ResourceSearch): readonly string[] {
  return [...fields.map(({ field }) => field.name), ...(content ? [content.column] : [])]
}

/**
 * Returns the body of the function that sets the search columns of a row before every write of it, and
 * appends the row to the queue if its text has changed.
 */
export function triggerBody({ id }: Resource, search: ResourceSearch): string {
  const changed = search.indexes.flatMap(({ vector, key }) => [vector, ...(key === undefined ? [] : [key])])
  const isChanged = changed.map((name) => `${column("new", name)} is distinct from ${column("old", name)}`)
  return `
declare
  texts text[];
begin
${search.indexes.map((index) => setColumns(search, index)).join("\n")}
  if tg_op = 'INSERT' or ${isChanged.join(" or ")} then
    insert into ${SEARCH_QUEUE} ("table", record_id) values (tg_table_name, ${column("new", id.name)}::text);
  end if;
  return new;
end
`
}

function setColumns(search: ResourceSearch, index: SearchIndexColumns): string {
  const content = contentText("new", search, index)
  const texts = index.fields.map(({ field }) => fieldText(field, fieldSql("new", field)))
  const all = content === undefined ? texts : [...texts, content]
  const places = all.map((_, place) => `texts[${place + 1}]`)
  const parts = [...index.fields, ...(search.content ? [search.content] : [])].map(
    ({ label }, place): VectorPart => ({ text: places[place], label }),
  )
  const embedded = places.filter((_, place) => index.fields[place]?.isEmbedded ?? true)
  return [
    `  texts := array[${all.join(", ")}]::text[];`,
    `  ${column("new", index.vector)} := ${vectorOf(parts, index.configuration)};`,
    ...(index.key === undefined ? [] : [`  ${column("new", index.key)} := ${keyOf(embedded)};`]),
  ].join("\n")
}

function keyOf(embedded: readonly string[]): string {
  return embedded.length === 0 ? "null" : embeddingKey(joinEmbedded(embedded))
}

export function createSearchFunction(table: string, body: string): string {
  return `create or replace function ${functionName(table)}() returns trigger language plpgsql as $function$${body}$function$`
}

export function dropSearchFunction(table: string): string {
  return `drop function if exists ${functionName(table)}()`
}

/** Returns the SQL that creates the trigger of a table. It is called only for writes of the indexed columns. */
export function createSearchTrigger(table: string, columns: readonly string[]): string {
  const events = `insert or update of ${columns.map(quote).join(", ")}`
  return `create trigger ${quote(SEARCH_TRIGGER)} before ${events} on ${quote(table)} for each row execute function ${functionName(table)}()`
}

export function dropSearchTrigger(table: string): string {
  return `drop trigger if exists ${quote(SEARCH_TRIGGER)} on ${quote(table)}`
}

function functionName(table: string): string {
  return quote(databaseName([SEARCH_TRIGGER, table]))
}

/**
 * Returns a hash of everything that the index of a row depends on besides the row itself. An index that was built with
 * another hash is out of date. The author's function `content` counts with its source text.
 */
export function definitionHash(resource: Resource, search: ResourceSearch): string {
  const { content } = search
  const ofContent = content ? [String(content.compute), JSON.stringify(content.with)] : []
  const parts = [...PREPARE_VECTOR_FUNCTION, triggerBody(resource, search), ...ofContent]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}
