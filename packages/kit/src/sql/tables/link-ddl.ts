import { databaseName } from "../../schema/compile/names.ts"
import { type LinkTable, POSITION } from "../../schema/compile/resource.ts"
import { reportedType } from "../text/column-types.ts"
import { column, quote } from "../text/fragment.ts"
import type { ColumnSnapshot, TableSnapshot } from "./snapshot.ts"

// The column can be null, so that links can be inserted by a version of the app that does not know it.
const POSITION_COLUMN: ColumnSnapshot = Object.freeze({ name: POSITION, type: "integer", nullable: true })

/**
 * Returns the snapshot of a link table. Each pair of ids is unique, and a separate index serves lookups by the second
 * id.
 */
export function linkSnapshot({ name, columns, orderedBy }: LinkTable): TableSnapshot {
  const [, second] = columns
  const index = databaseName([name, second.name, "index"])
  return {
    name,
    columns: [
      ...columns.map(({ name: end, target }): ColumnSnapshot => {
        return { name: end, type: reportedType(target.id.type.sqlType), nullable: false, primaryKey: true }
      }),
      ...(orderedBy === undefined ? [] : [POSITION_COLUMN]),
    ],
    indexes: [
      {
        name: index,
        columns: [second.name],
        unique: false,
        sql: `create index ${quote(index)} on ${quote(name)} (${quote(second.name)})`,
      },
    ],
    foreignKeys: columns.map(({ name: end, target, key }) => ({
      name: key,
      column: end,
      target: target.table,
      sql: `alter table ${quote(name)} add constraint ${quote(key)} foreign key (${quote(end)}) references ${quote(target.table)} (${quote(target.id.name)})`,
    })),
  }
}

/**
 * Returns the SQL that numbers the links of a table that has just become ordered, in the order in which they were
 * returned until then: newest record first.
 */
export function numberLinks({ name, columns }: LinkTable, orderedBy: string): string {
  const [first, second] = columns
  const [own, other] = first.name === orderedBy ? [first, second] : [second, first]
  const { table, id, createdAt } = other.target
  const newestFirst = [createdAt, id].flatMap((field) => (field ? [`${column("_other", field.name)} desc`] : []))
  const keys = [own, other].map((end) => column("_link", end.name)).join(", ")
  const place = `row_number() over (partition by ${column("_link", own.name)} order by ${newestFirst.join(", ")})`
  const isOther = `${column("_other", id.name)} = ${column("_link", other.name)}`
  const numbered = `select ${keys}, ${place} as place from ${quote(name)} _link join ${quote(table)} _other on ${isOther}`
  const isSame = [own, other].map((end) => `${column(quote(name), end.name)} = ${column("_numbered", end.name)}`)
  return `update ${quote(name)} set ${quote(POSITION)} = _numbered.place from (${numbered}) _numbered where ${isSame.join(" and ")}`
}
