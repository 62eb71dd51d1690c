import type { BulkSession } from "../../ports/bulk-session.ts"
import type { CopiedTable } from "./copied-tables.ts"

interface TableChecksum {
  readonly rows: number
  /** A checksum over all rows. It does not depend on the order of the rows. */
  readonly checksum: string
}

/** The result of comparing one table between the source and the target database. */
export interface TableComparison {
  readonly table: string
  readonly source: TableChecksum
  readonly target: TableChecksum
  readonly isEqual: boolean
}

interface SourceAndTarget {
  readonly source: BulkSession
  readonly target: BulkSession
}

/** Compares a table's row count and checksum in the source with those in the target. Each server computes its own. */
export async function compareTable({ source, target }: SourceAndTarget, table: CopiedTable): Promise<TableComparison> {
  const [there, here] = await Promise.all([checksumOf(source, table), checksumOf(target, table)])
  const isEqual = there.rows === here.rows && there.checksum === here.checksum
  return { table: table.name, source: there, target: here, isEqual }
}

const HALF_BITS = 64

/**
 * Counts the rows of a table and computes their checksum: hashes each row as text and adds up the hashes. The sum does
 * not depend on the order of the rows, and a duplicate row is added twice.
 */
export async function checksumOf(
  session: BulkSession,
  { name, columns }: Pick<CopiedTable, "name" | "columns">,
): Promise<TableChecksum> {
  const values = columns.map((column) => `t.${column}`).join(", ")
  const half = (from: number) =>
    `coalesce(sum(('x' || encode(substr(hash, ${from}, 8), 'hex'))::bit(${HALF_BITS})::bigint), 0)::text`
  const { rows } = await session.query({
    text: `select count(*)::text, ${half(1)}, ${half(9)}
      from (select sha256(convert_to(row(${values})::text, 'UTF8')) as hash from only ${name} t) hashed`,
    values: [],
  })
  const [count, ...sums] = rows[0] ?? []
  return { rows: Number(count), checksum: sums.map(hexOf).join("") }
}

function hexOf(sum: unknown): string {
  return BigInt.asUintN(HALF_BITS, BigInt(String(sum)))
    .toString(16)
    .padStart(HALF_BITS / 4, "0")
}
