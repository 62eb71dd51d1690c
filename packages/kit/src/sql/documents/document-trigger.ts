import type { Resource } from "../../schema/compile/resource.ts"
import { quote } from "../text/fragment.ts"
import { quoteText } from "../text/literal.ts"
import { DOCUMENTS_TABLE } from "./document-tables.ts"

/** The name of the trigger on each table with collaborative fields. */
export const DOCUMENTS_TRIGGER = "_kit_documents"

const TRIGGER_FUNCTION = "_kit_delete_documents"

/**
 * The function with which a deleted row also loses its documents, whichever statement deletes it. The arguments of the
 * trigger are the kind and the name of the resource.
 */
export const PREPARE_DOCUMENTS_FUNCTION: readonly string[] = [
  `create or replace function ${TRIGGER_FUNCTION}() returns trigger language plpgsql as $function$
  begin
    delete from ${DOCUMENTS_TABLE} where resource_kind = tg_argv[0] and resource = tg_argv[1] and record = old.id::text;
    return null;
  end
  $function$`,
]

/** The resource whose documents belong to the rows of a table. */
export type DocumentOwner = Pick<Resource, "kind" | "name">

export function createDocumentsTrigger(table: string, { kind, name }: DocumentOwner): string {
  const call = `${TRIGGER_FUNCTION}(${quoteText(kind)}, ${quoteText(name)})`
  return `create trigger ${quote(DOCUMENTS_TRIGGER)} after delete on ${quote(table)} for each row execute function ${call}`
}

export function dropDocumentsTrigger(table: string): string {
  return `drop trigger if exists ${quote(DOCUMENTS_TRIGGER)} on ${quote(table)}`
}

/** Returns the SQL that gives the documents of a resource to the resource that has replaced it. */
export function renameDocumentsOwner(from: DocumentOwner, to: DocumentOwner): string {
  const set = `resource_kind = ${quoteText(to.kind)}, resource = ${quoteText(to.name)}`
  return `update ${DOCUMENTS_TABLE} set ${set} where ${isOf(from)}`
}

/** Returns the SQL that deletes all documents of a resource. */
export function deleteDocumentsOf(owner: DocumentOwner): string {
  return `delete from ${DOCUMENTS_TABLE} where ${isOf(owner)}`
}

function isOf({ kind, name }: DocumentOwner): string {
  return `resource_kind = ${quoteText(kind)} and resource = ${quoteText(name)}`
}
