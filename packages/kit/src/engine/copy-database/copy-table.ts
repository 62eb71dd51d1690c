import type { BulkSession } from "../../ports/bulk-session.ts"
import type { CopiedTable } from "./copied-tables.ts"
import type { CopyJournal, TableProgress } from "./copy-journal.ts"
import { inTransaction, run } from "./in-transaction.ts"

export interface CopyContext {
  readonly source: BulkSession
  readonly target: BulkSession
  readonly journal: CopyJournal
  /** Called each time a part of a table has been committed in the target database. */
  onRows(table: CopiedTable, progress: TableProgress): void
}

// The number of table blocks, of 8 kB each, that one transaction copies. Together they have 8 MB, not counting TOAST
// values. An interrupted copy has to repeat at most this much of a table.
const BLOCKS_PER_PART = 1024

const NOTHING_COPIED: TableProgress = { rows: 0, nextBlock: 0, isCopied: false }

/** Copies the rows that the target does not have yet, one range of blocks at a time. */
export async function copyRows(ctx: CopyContext, table: CopiedTable): Promise<void> {
  let progress = (await ctx.journal.progressOf(table.name)) ?? NOTHING_COPIED
  while (!progress.isCopied) {
    progress = await copyPart(ctx, table, progress)
    ctx.onRows(table, progress)
  }
}

/** Empties the table in the target database, so that its rows can be copied again. */
export async function truncateTable({ target, journal }: CopyContext, table: CopiedTable): Promise<void> {
  await inTransaction(target, async () => {
    await run(target, `truncate ${table.name}`)
    await journal.saveProgress(table.name, NOTHING_COPIED)
  })
}

// Copies the rows in the next range of table blocks. A range of blocks needs no key column, and no row can move to
// another block, because the source is locked.
function copyPart(
  { source, target, journal }: CopyContext,
  { name, columns, blocks }: CopiedTable,
  { rows, nextBlock }: TableProgress,
): Promise<TableProgress> {
  const end = nextBlock + BLOCKS_PER_PART
  const isLast = end >= blocks
  const list = columns.join(", ")
  const range = `ctid >= '(${nextBlock},0)'::tid${isLast ? "" : ` and ctid < '(${end},0)'::tid`}`
  return inTransaction(target, async () => {
    const pieces = source.copyOut(`copy (select ${list} from only ${name} where ${range}) to stdout`)
    const copied = await target.copyIn(`copy ${name} (${list}) from stdin`, pieces)
    const progress = { rows: rows + copied, nextBlock: end, isCopied: isLast }
    await journal.saveProgress(name, progress)
    return progress
  })
}
