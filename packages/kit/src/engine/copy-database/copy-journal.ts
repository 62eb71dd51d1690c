import type { BulkSession } from "../../ports/bulk-session.ts"
import { CopyError } from "./copy-error.ts"
import { JOURNAL_TABLE } from "./copy-scope.ts"

/** The journal's first entry. It identifies the copy by its source database and the objects that it creates. */
export interface CopyHead {
  /** The server and the name of the source database, from `readIdentity`. */
  readonly source: string
  readonly fingerprint: string
  readonly isFinished: boolean
}

/** How much of one table is already in the target database. */
export interface TableProgress {
  readonly rows: number
  readonly nextBlock: number
  readonly isCopied: boolean
}

/**
 * The journal of a database copy. Each entry is written to the target in the same transaction as the work that it
 * records, so the journal matches the target exactly, even after an interruption.
 */
export class CopyJournal {
  readonly #target: BulkSession
  readonly #table: string

  private constructor(target: BulkSession, table: string) {
    this.#target = target
    this.#table = table
  }

  static async find(target: BulkSession): Promise<CopyJournal | undefined> {
    const { rows } = await target.query({
      text: `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relname = '${JOURNAL_TABLE}' and c.relkind = 'r'`,
      values: [],
    })
    const [row] = rows
    return row && new CopyJournal(target, String(row[0]))
  }

  /**
   * Creates the journal's table. `schema` is the PostgreSQL schema in which a new session on the target creates tables.
   */
  static async create(target: BulkSession, schema: string): Promise<CopyJournal> {
    const { rows } = await target.query({
      text: "select format('%I.%I', $1::text, $2::text)",
      values: [schema, JOURNAL_TABLE],
    })
    const table = String(rows[0]?.[0])
    await target.query({
      text: `create table ${table} (part text primary key, detail jsonb not null, stored_at timestamptz not null default now())`,
      values: [],
    })
    return new CopyJournal(target, table)
  }

  async head(): Promise<CopyHead | undefined> {
    // The cast is safe: only this class writes the entry "copy", and it always writes a `CopyHead`.
    return (await this.#read("copy")) as CopyHead | undefined
  }

  saveHead(head: CopyHead): Promise<void> {
    return this.#save("copy", head)
  }

  async progressOf(table: string): Promise<TableProgress | undefined> {
    // The cast is safe: only this class writes the entries "rows of …", and it always writes a `TableProgress`.
    return (await this.#read(`rows of ${table}`)) as TableProgress | undefined
  }

  saveProgress(table: string, progress: TableProgress): Promise<void> {
    return this.#save(`rows of ${table}`, progress)
  }

  async hasStep(title: string): Promise<boolean> {
    return (await this.#read(title)) !== undefined
  }

  saveStep(title: string): Promise<void> {
    return this.#save(title, {})
  }

  async deleteStep(title: string): Promise<void> {
    await this.#target.query({ text: `delete from ${this.#table} where part = $1`, values: [title] })
  }

  async #read(part: string): Promise<unknown> {
    const { rows } = await this.#target.query({
      text: `select detail from ${this.#table} where part = $1`,
      values: [part],
    })
    return rows[0]?.[0]
  }

  async #save(part: string, detail: object): Promise<void> {
    await this.#target.query({
      text: `insert into ${this.#table} (part, detail) values ($1, $2)
        on conflict (part) do update set detail = excluded.detail, stored_at = now()`,
      values: [part, JSON.stringify(detail)],
    })
  }
}

/** Throws if the source is the target of a copy that was not finished, because some of its rows are missing. */
export async function refuseUnfinishedSource(source: BulkSession): Promise<void> {
  const head = await (await CopyJournal.find(source))?.head()
  if (head === undefined || head.isFinished) return
  throw new CopyError("The source is itself the target of a copy that was not finished. Finish that one first.")
}
