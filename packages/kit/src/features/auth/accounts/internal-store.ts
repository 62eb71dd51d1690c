import type { Connection, Statement } from "../../../ports/database.ts"
import type { IdentityCondition, IdentityQuery, IdentityRow } from "../../../ports/identity.ts"
import type { InternalTable } from "../../../schema/compile/internal-table.ts"
import {
  countInternal,
  deleteInternal,
  type InternalCondition,
  insertInternal,
  internalRow,
  selectInternal,
  updateInternal,
} from "../../../sql/internal/internal-rows.ts"

/** Reads and writes the rows of one internal table, in the row format of the identity library. */
export class InternalStore {
  readonly #connection: Connection
  readonly #table: InternalTable

  constructor(connection: Connection, table: InternalTable) {
    this.#connection = connection
    this.#table = table
  }

  async create(row: IdentityRow): Promise<IdentityRow> {
    const [created] = await this.#rows(insertInternal(this.#table, row))
    if (created === undefined) throw new Error(`An insert into "${this.#table.name}" returned no row.`)
    return created
  }

  find({ where, limit, offset, sortBy }: IdentityQuery): Promise<IdentityRow[]> {
    const order = sortBy && { column: sortBy.field, direction: sortBy.direction }
    return this.#rows(selectInternal(this.#table, conditions(where), { limit, offset, sortBy: order }))
  }

  async count(where: readonly IdentityCondition[]): Promise<number> {
    const { rows } = await this.#connection.query(countInternal(this.#table, conditions(where)))
    return Number(rows[0]?.[0])
  }

  update(where: readonly IdentityCondition[], change: IdentityRow): Promise<IdentityRow[]> {
    return this.#rows(updateInternal(this.#table, conditions(where), change))
  }

  delete(where: readonly IdentityCondition[]): Promise<IdentityRow[]> {
    return this.#rows(deleteInternal(this.#table, conditions(where)))
  }

  async #rows(statement: Statement): Promise<IdentityRow[]> {
    const { rows } = await this.#connection.query(statement)
    return rows.map((values) => internalRow(this.#table, values))
  }
}

function conditions(where: readonly IdentityCondition[]): InternalCondition[] {
  return where.map(({ field, operator, value, connector }) => ({
    column: field,
    operator,
    value,
    isAlternative: connector === "OR",
  }))
}
