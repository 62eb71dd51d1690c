import type { CheckedUpdate, DocumentCodec, DocumentRoot } from "../../ports/document-codec.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

interface Queue {
  last: Promise<unknown>
  /** The bytes of the updates that wait or are being checked. */
  bytes: number
}

interface NewUpdate {
  readonly root: DocumentRoot
  readonly update: Uint8Array
}

const MAX_WAITING_BYTES = 8 * 1024 * 1024
// Small updates never take long to decode.
const MAX_QUICK_BYTES = 4096

/**
 * Checks the large updates of each document one after the other. So a client whose updates take long to check holds up the
 * other editors of its document, and all other documents only for the time of one check.
 */
export class CheckQueue {
  readonly #codec: Pick<DocumentCodec, "check">
  readonly #queues = new Map<string, Queue>()

  constructor(codec: Pick<DocumentCodec, "check">) {
    this.#codec = codec
  }

  /** Returns why the update is refused, or what it does to names. Throws if too much is waiting already. */
  async check(documentId: string, { root, update }: NewUpdate): Promise<CheckedUpdate> {
    if (update.byteLength <= MAX_QUICK_BYTES) return this.#codec.check(root, update)
    const queue = this.#queues.get(documentId) ?? { last: Promise.resolve(), bytes: 0 }
    if (queue.bytes + update.byteLength > MAX_WAITING_BYTES) throw new ApiError("RATE_LIMITED")
    this.#queues.set(documentId, queue)
    queue.bytes += update.byteLength
    const checked = queue.last.then(() => this.#codec.check(root, update))
    queue.last = checked.catch(() => undefined)
    try {
      return await checked
    } finally {
      queue.bytes -= update.byteLength
      if (queue.bytes === 0) this.#queues.delete(documentId)
    }
  }
}
