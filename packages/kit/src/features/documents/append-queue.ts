import type { Database } from "../../ports/database.ts"
import { appendUpdates, MAX_DOCUMENT_BYTES, selectExistence } from "../../sql/documents/append-updates.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

interface NewUpdate {
  readonly update: Uint8Array
  readonly userId: string | null
}

interface WaitingUpdate extends NewUpdate {
  resolve(seq: number): void
  reject(error: unknown): void
}

// The limits of one statement. The updates that exceed them wait for the next one.
const MAX_GROUP = 200
const MAX_GROUP_BYTES = 1024 * 1024

/**
 * Appends updates to documents. The updates of one document that arrive while a statement is running are stored
 * together by the next one. A document without waiting updates takes no memory.
 */
export class AppendQueue {
  readonly #database: Database
  readonly #waiting = new Map<string, WaitingUpdate[]>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Stores an update. Resolves after the commit, to the number of the update. */
  append(documentId: string, { update, userId }: NewUpdate): Promise<number> {
    return new Promise((resolve, reject) => {
      const added = { update, userId, resolve, reject }
      const waiting = this.#waiting.get(documentId)
      if (waiting) {
        waiting.push(added)
        return
      }
      this.#waiting.set(documentId, [added])
      void this.#storeAll(documentId)
    })
  }

  async #storeAll(documentId: string): Promise<void> {
    for (;;) {
      const waiting = this.#waiting.get(documentId) ?? []
      if (waiting.length === 0) break
      await this.#store(documentId, waiting.splice(0, groupLength(waiting)))
    }
    this.#waiting.delete(documentId)
  }

  async #store(documentId: string, group: readonly WaitingUpdate[]): Promise<void> {
    try {
      const last = await this.#appendAll(documentId, group)
      if (last === undefined) await this.#storeOneByOne(documentId, group)
      else acknowledge(group, last)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async #appendAll(documentId: string, group: readonly NewUpdate[]): Promise<number | undefined> {
    const { rows } = await this.#database.query(appendUpdates(documentId, group))
    return rows[0] && Number(rows[0][0])
  }

  // The group as a whole may be too large for the document although some of its updates fit.
  async #storeOneByOne(documentId: string, group: readonly WaitingUpdate[]): Promise<void> {
    for (const waiting of group) {
      const seq = group.length === 1 ? undefined : await this.#appendAll(documentId, [waiting])
      if (seq === undefined) waiting.reject(await this.#refusal(documentId))
      else waiting.resolve(seq)
    }
  }

  async #refusal(documentId: string): Promise<ApiError> {
    const { rowCount } = await this.#database.query(selectExistence(documentId))
    return rowCount === 0 ? documentGone() : documentTooLarge()
  }
}

function acknowledge(group: readonly WaitingUpdate[], lastSeq: number): void {
  for (const [index, { resolve }] of group.entries()) resolve(lastSeq - group.length + index + 1)
}

function groupLength(waiting: readonly NewUpdate[]): number {
  let bytes = 0
  const end = waiting.findIndex(({ update }, index) => {
    bytes += update.byteLength
    return index === MAX_GROUP || (index > 0 && bytes > MAX_GROUP_BYTES)
  })
  return end === -1 ? waiting.length : end
}

function documentGone(): ApiError {
  const message =
    "This document no longer exists: its record was deleted, or the document was made anew. Open it again."
  return new ApiError("CONFLICT", { message })
}

/** Returns the error for a document that has more bytes than a document may have. */
export function documentTooLarge(): ApiError {
  const megabytes = MAX_DOCUMENT_BYTES / 1024 / 1024
  const message = `The document would be larger than ${megabytes} MB. Shorten it first.`
  return new ApiError("PAYLOAD_TOO_LARGE", { message })
}
