import {
  createReferencesTrigger,
  deleteReferencesOf,
  dropReferencesTrigger,
  storeReferencesOf,
} from "../references/reference-trigger.ts"
import type { TableSnapshot } from "./snapshot.ts"
import { type Step, step } from "./step.ts"

interface ChangedTable {
  readonly before: TableSnapshot
  readonly after: TableSnapshot
}

/** True if the trigger that follows the table's references has to be created again, or dropped. */
export function hasOtherReferences({ before, after }: ChangedTable): boolean {
  const [was, is] = [before.references ?? [], after.references ?? []]
  return JSON.stringify(was) !== JSON.stringify(is) || (is.length > 0 && before.name !== after.name)
}

/** Returns the step that drops the trigger of a table and its references, and no step if there is none. */
export function droppedReferences({ name: table, references }: TableSnapshot): readonly Step[] {
  if (references === undefined) return []
  const title = `stop following the references of "${table}"`
  return [step("drop references", { table, title, sql: [dropReferencesTrigger(table), deleteReferencesOf(table)] })]
}

/** Returns the step that creates the trigger of a table, and no step if no part of its columns refers to records. */
export function createdReferences({ name: table, references }: TableSnapshot): readonly Step[] {
  if (references === undefined) return []
  const stored = references.map((part) => storeReferencesOf(table, part))
  const sql = [createReferencesTrigger(table, references), ...stored]
  return [step("follow references", { table, title: `follow the references of "${table}"`, sql })]
}
