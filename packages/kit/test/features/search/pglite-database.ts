import { type Extensions, PGlite } from "@electric-sql/pglite"
import type { Connection, Database, QueryResult, Statement, Transaction } from "../../../src/ports/database.ts"

/**
 * A database inside of this process, which can have the extension pgvector. It has one connection, so that a
 * transaction excludes everything else.
 */
export async function openPglite(extensions: Extensions): Promise<Database> {
  const database = await PGlite.create({ extensions })
  const connection = new PgliteConnection(database)
  return Object.assign(connection, {
    forCaller: () => Object.assign(connection, { withoutLimits: connection }),
    close: () => database.close(),
  })
}

class PgliteConnection implements Connection {
  readonly #database: PGlite

  constructor(database: PGlite) {
    this.#database = database
  }

  async query({ text, values }: Statement): Promise<QueryResult> {
    if (values.length === 0) {
      const results = await this.#database.exec(text, { rowMode: "array" })
      return toResult(results.at(-1))
    }
    return toResult(await this.#database.query(text, [...values], { rowMode: "array" }))
  }

  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const run = (text: string) => this.query({ text, values: [] })
    const transaction: Transaction = Object.assign(new PgliteConnection(this.#database), {
      afterCommit: () => {},
      onEnd: () => {},
    })
    await run("begin")
    try {
      const result = await work(transaction)
      await run("commit")
      return result
    } catch (error) {
      await run("rollback")
      throw error
    }
  }
}

function toResult(result: { rows?: unknown; fields?: { name: string }[] } | undefined): QueryResult {
  // The cast is safe: with `rowMode: "array"`, each row is a list of values.
  const rows = (result?.rows ?? []) as readonly (readonly unknown[])[]
  return { rows, rowCount: rows.length, columns: (result?.fields ?? []).map(({ name }) => name) }
}
