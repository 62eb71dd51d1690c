import { databaseName } from "../schema/names.ts"
import type { LinkTable } from "../schema/resource.ts"
import { quote } from "./fragment.ts"

/** Creates a table of links, with an index for the way back; the tables of both ends must be there. */
export function createLinkTable({ name, columns }: LinkTable): readonly string[] {
  const [first, second] = columns
  const ends = columns.map(
    ({ name: column, target, key }) =>
      `${quote(column)} uuid not null constraint ${quote(key)} references ${quote(target.table)} (${quote(target.id.name)})`,
  )
  const key = `primary key (${quote(first.name)}, ${quote(second.name)})`
  return [
    `create table if not exists ${quote(name)} (${ends.join(", ")}, ${key})`,
    `create index if not exists ${quote(databaseName([name, second.name, "index"]))} on ${quote(name)} (${quote(second.name)})`,
  ]
}
