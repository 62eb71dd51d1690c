import { createHash } from "node:crypto"
import { databaseName } from "../../schema/compile/names.ts"
import type { Resource, ResourceSearch, SearchIndexColumns } from "../../schema/compile/resource.ts"
import { fieldSql } from "../text/field-sql.ts"
import { column, quote } from "../text/fragment.ts"
import { SEARCH_QUEUE } from "./queue.ts"
import { contentText, embeddingKey, fieldText, joinEmbedded } from "./search-text.ts"
import { PREPARE_VECTOR_FUNCTION, type VectorPart, vectorOf } from "./search-vector.ts"
import { learnWords, PREPARE_SEARCH_WORDS } from "./vocabulary/words.ts"

/** The name of the trigger that keeps the search columns of a table. It calls a function of the table's own. */
export const SEARCH_TRIGGER = "_kit_search"

/**
 * Returns the columns whose changes call the trigger: those from which the search columns are made, in the order of the
 * searched fields, and the mark of deleted records if a search engine outside of the database has to forget them.
 */
export function triggerColumns(
  { deletedAt }: Resource,
  { fields, content, adapter }: ResourceSearch,
): readonly string[] {
  const mark = adapter === undefined ? undefined : deletedAt
  return [...fields.map(({ field }) => field.name), ...(content ? [content.column] : []), ...(mark ? [mark.name] : [])]
}

/** True if a worker has to process a record whose text has changed, besides computing the content of others. */
export function hasWorkAfterWrite({ indexes, adapter }: ResourceSearch): boolean {
  return adapter !== undefined || indexes.some(({ key }) => key !== undefined)
}

/**
 * Returns the body of the function that sets the search columns of a row before every write of it and adds its words to
 * the vocabulary. If texts are embedded or sent to a search engine, it appends the row to the queue if its text has
 * changed; for a search engine, it also appends a row that is deleted.
 */
export function triggerBody(resource: Resource, search: ResourceSearch): string {
  return `
declare
  texts text[];
begin${search.adapter === undefined ? "" : queueDeleted(resource)}
${search.indexes.map((index) => setColumns(resource, search, index)).join("\n")}${hasWorkAfterWrite(search) ? queueChanged(resource, search) : ""}
  return new;
end
`
}

function queueChanged(resource: Resource, search: ResourceSearch): string {
  const isChanged = comparedColumns(resource, search).map(
    (name) => `${column("new", name)} is distinct from ${column("old", name)}`,
  )
  return `
  if tg_op = 'INSERT' or ${isChanged.join(" or ")} then
    insert into ${SEARCH_QUEUE} ("table", record_id) values (tg_table_name, ${column("new", resource.id.name)}::text);
  end if;`
}

// A search engine needs every change of the text itself, an embedder those of the text that is embedded.
function comparedColumns(resource: Resource, search: ResourceSearch): readonly string[] {
  if (search.adapter !== undefined) return triggerColumns(resource, search)
  return search.indexes.flatMap(({ key }) => key ?? [])
}

function queueDeleted({ id }: Resource): string {
  return `
  if tg_op = 'DELETE' then
    insert into ${SEARCH_QUEUE} ("table", record_id) values (tg_table_name, ${column("old", id.name)}::text);
    return old;
  end if;`
}

function setColumns({ id }: Resource, search: ResourceSearch, index: SearchIndexColumns): string {
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
    `  ${learnWords(column("new", index.vector), column("old", index.vector))}`,
    ...(index.key === undefined
      ? []
      : [`  ${column("new", index.key)} := ${keyOf(embedded, column("new", id.name))};`]),
  ].join("\n")
}

function keyOf(embedded: readonly string[], id: string): string {
  return embedded.length === 0 ? "null" : embeddingKey(joinEmbedded(embedded), id)
}

export function createSearchFunction(table: string, body: string): string {
  return `create or replace function ${functionName(table)}() returns trigger language plpgsql as $function$${body}$function$`
}

export function dropSearchFunction(table: string): string {
  return `drop function if exists ${functionName(table)}()`
}

/** The writes that call the trigger of a table. */
interface TriggerEvents {
  /** The columns whose changes call it. */
  readonly columns: readonly string[]
  readonly onDelete?: boolean
}

/** Returns the SQL that creates the trigger of a table. */
export function createSearchTrigger(table: string, { columns, onDelete = false }: TriggerEvents): string {
  const events = `insert or${onDelete ? " delete or" : ""} update of ${columns.map(quote).join(", ")}`
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
  const { content, adapter } = search
  const ofContent = content ? [String(content.compute), JSON.stringify(content.with)] : []
  const parts = [
    ...PREPARE_VECTOR_FUNCTION,
    ...PREPARE_SEARCH_WORDS,
    triggerBody(resource, search),
    ...ofContent,
    ...(adapter === undefined ? [] : [adapter]),
  ]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}
