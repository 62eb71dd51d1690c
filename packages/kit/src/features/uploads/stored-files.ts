import { explainError } from "../../engine/database/database-errors.ts"
import { OutageError } from "../../engine/database/outage.ts"
import type { Connection, Database } from "../../ports/database.ts"
import type { FileStore, IncomingFile } from "../../ports/file-store.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { deleteLooseFile, findFileOwner, insertLooseFile, listLooseFiles } from "../../sql/internal/loose-files.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

interface StoredFilesDependencies {
  readonly store: FileStore
  readonly schema: AppSchema
  readonly database: Database
  readonly logger: Logger
  now(): Date
}

interface NewFile {
  readonly incoming: IncomingFile
  readonly key: string
  readonly connection?: Connection
}

const ABANDONED_MS = 60 * 60 * 1000
const SWEEP_BATCH = 500

/**
 * Stores and removes the files of an app. A file store cannot take part in a database transaction. A file whose record
 * does not exist yet, or no longer exists, therefore has a row in the database, so that it can be found and removed
 * after a crash.
 */
export class StoredFiles {
  readonly store: FileStore
  readonly #parts: StoredFilesDependencies

  constructor(parts: StoredFilesDependencies) {
    this.store = parts.store
    this.#parts = parts
  }

  /**
   * Stores the file under this key and runs `work`, which creates the file's record. Removes the file if `work` fails.
   * If `work` runs in a transaction that is committed later, `connection` is its connection: a rollback then leaves the
   * file to the sweep.
   */
  async storeWith<Result>(file: NewFile, work: () => Promise<Result>): Promise<Result> {
    const { incoming, key, connection } = file
    try {
      await this.#parts.database.query(insertLooseFile(key, this.#parts.now()))
      await incoming.commit(key)
    } catch (error) {
      await incoming.discard()
      // If this removal fails, the next sweep repeats it: the file has a row, unless the insertion of that row is what
      // failed.
      await this.remove(key)
      throw error
    }
    const result = await work().catch(async (error: unknown) => {
      if (this.#isRolledBack(error)) await this.remove(key)
      throw error
    })
    if (connection) await connection.query(deleteLooseFile(key))
    else await this.#runOrLog(key, () => this.#forget(key))
    return result
  }

  /** Removes a file whose record no longer exists. If the removal fails, the next sweep tries again. */
  async remove(key: string): Promise<void> {
    await this.#runOrLog(key, async () => {
      await this.store.remove(key)
      await this.#forget(key)
    })
  }

  /** Removes files whose upload began over an hour ago and that have no record. */
  async sweep(): Promise<void> {
    const before = new Date(this.#parts.now().getTime() - ABANDONED_MS)
    await this.store.removeAbandoned(before)
    let keys = await this.#listLoose(before, "")
    while (keys.length > 0) {
      for (const key of keys) await this.#runOrLog(key, () => this.#removeUnlessOwned(key))
      keys = await this.#listLoose(before, keys.at(-1) ?? "")
    }
  }

  async #listLoose(before: Date, after: string): Promise<readonly string[]> {
    const { rows } = await this.#parts.database.query(listLooseFiles({ before, after, limit: SWEEP_BATCH }))
    return rows.map(([key]) => String(key))
  }

  async #removeUnlessOwned(key: string): Promise<void> {
    const { schema, database } = this.#parts
    const owners = schema.resources.filter(({ upload }) => upload)
    const { rows } = owners.length === 0 ? { rows: [] } : await database.query(findFileOwner(owners, key))
    if (rows.length === 0) await this.store.remove(key)
    await this.#forget(key)
  }

  async #forget(key: string): Promise<void> {
    await this.#parts.database.query(deleteLooseFile(key))
  }

  // True if the record was certainly not stored. If the connection broke during the commit, the outcome is unknown, and
  // a later sweep checks it.
  #isRolledBack(error: unknown): boolean {
    const known = explainError(this.#parts.schema, error)
    if (known instanceof OutageError) return true
    return known instanceof ApiError ? known.status < 500 : !(known instanceof Error && "code" in known)
  }

  // Runs `work` and logs its error instead of throwing it, because the record is already stored or rejected.
  async #runOrLog(key: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#parts.logger.warn("A file could not be cleaned up; the next sweep tries again.", { key, error })
    }
  }
}
