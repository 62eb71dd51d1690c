import { createConfiguration } from "../search/configurations.ts"
import {
  createSearchFunction,
  createSearchTrigger,
  dropSearchFunction,
  dropSearchTrigger,
} from "../search/search-trigger.ts"
import { dropColumn } from "./ddl.ts"
import type { TableSnapshot } from "./snapshot.ts"
import { type Step, step } from "./step.ts"

interface ChangedTable {
  readonly before: TableSnapshot
  readonly after: TableSnapshot
}

/** True if the table's trigger has to be created again, or dropped. */
export function hasOtherSearch({ before, after }: ChangedTable): boolean {
  if (before.search === undefined || after.search === undefined) return before.search !== after.search
  const missing = after.search.configurations.filter((name) => !before.search?.configurations.includes(name))
  return before.name !== after.name || before.search.body !== after.search.body || missing.length > 0
}

/** Returns the step that drops the trigger of a table, and no step if there is none. */
export function droppedSearch({ name: table, search }: TableSnapshot): readonly Step[] {
  if (search === undefined) return []
  const title = `stop the search index of "${table}"`
  return [step("drop search", { table, title, sql: [dropSearchTrigger(table), dropSearchFunction(table)] })]
}

/** Returns the step that creates the trigger of a table, and no step if its records are not searched. */
export function createdSearch({ name: table, search }: TableSnapshot): readonly Step[] {
  if (search === undefined) return []
  const { body, configurations } = search
  const sql = [
    ...configurations.map(createConfiguration),
    createSearchFunction(table, body),
    createSearchTrigger(table, search),
  ]
  return [step("index search", { table, title: `keep a search index of "${table}"`, sql })]
}

/** Returns the step that drops a search column. It loses no data, because the column can be made again. */
export function droppedSearchColumn(table: string, name: string): Step {
  const title = `drop search column "${table}.${name}"`
  return step("drop search", { table, name, title, sql: [dropColumn(table, name)] })
}
