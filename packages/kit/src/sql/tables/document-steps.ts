import type { Resource } from "../../schema/compile/resource.ts"
import {
  createDocumentsTrigger,
  type DocumentOwner,
  deleteDocumentsOf,
  dropDocumentsTrigger,
  renameDocumentsOwner,
} from "../documents/document-trigger.ts"
import type { TableSnapshot } from "./snapshot.ts"
import { type Step, step } from "./step.ts"

/** Returns the owner of the documents that belong to the rows of a table; undefined if there are none. */
export function documentOwner({ kind, name, fields, working }: Resource): DocumentOwner | undefined {
  const hasDocuments = [...fields.values()].some(({ collaborative }) => collaborative !== undefined)
  return hasDocuments && working === undefined ? { kind, name } : undefined
}

/**
 * Returns the step that creates the trigger of a table whose rows have documents; no step if there is one. The trigger
 * stays if no field is collaborative any longer, because the documents stay too.
 */
export function followedDeletes(before: TableSnapshot | undefined, after: TableSnapshot): readonly Step[] {
  const [known, documents] = [before?.documents, after.documents]
  if (documents === undefined || isSameOwner(known, documents)) return []
  const table = after.name
  const replaced = known ? [dropDocumentsTrigger(table), renameDocumentsOwner(known, documents)] : []
  const sql = [...replaced, createDocumentsTrigger(table, documents)]
  return [step("follow deletes", { table, title: `delete shared documents with the rows of "${table}"`, sql })]
}

function isSameOwner(left: DocumentOwner | undefined, right: DocumentOwner): boolean {
  return left?.kind === right.kind && left.name === right.name
}

/** Returns the SQL that a step needs which drops a table whose rows have documents. */
export function droppedDocuments({ documents }: TableSnapshot): readonly string[] {
  return documents === undefined ? [] : [deleteDocumentsOf(documents)]
}
