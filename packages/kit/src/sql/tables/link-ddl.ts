import { databaseName } from "../../schema/compile/names.ts"
import type { LinkTable } from "../../schema/compile/resource.ts"
import { reportedType } from "../text/column-types.ts"
import { quote } from "../text/fragment.ts"
import type { TableSnapshot } from "./snapshot.ts"

/**
 * Returns the snapshot of a link table. Each pair of ids is unique, and a separate index serves lookups by the second
 * id.
 */
export function linkSnapshot({ name, columns }: LinkTable): TableSnapshot {
  const [, second] = columns
  const index = databaseName([name, second.name, "index"])
  return {
    name,
    columns: columns.map(({ name: column, target }) => ({
      name: column,
      type: reportedType(target.id.type.sqlType),
      nullable: false,
      primaryKey: true,
    })),
    indexes: [
      {
        name: index,
        columns: [second.name],
        unique: false,
        sql: `create index ${quote(index)} on ${quote(name)} (${quote(second.name)})`,
      },
    ],
    foreignKeys: columns.map(({ name: column, target, key }) => ({
      name: key,
      column,
      target: target.table,
      sql: `alter table ${quote(name)} add constraint ${quote(key)} foreign key (${quote(column)}) references ${quote(target.table)} (${quote(target.id.name)})`,
    })),
  }
}
