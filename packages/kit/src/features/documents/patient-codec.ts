import type { DocumentCodec, ExceededLimit, UnreadableDocument } from "../../ports/document-codec.ts"
import type { DocumentClients } from "../../sql/documents/document-clients.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { clientsOfServer } from "./fit-update.ts"

/** The calls of a codec that read a stored document. */
type StoredDocumentCodec = Pick<
  DocumentCodec,
  "read" | "edit" | "deletedNames" | "compact" | "differenceFrom" | "survey"
>

interface Pause {
  readonly lengthMs: number
  readonly until: number
}

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 60 * 60 * 1000
const MAX_PAUSES = 1_000

/**
 * The codec for stored documents. After a call that exceeded a limit, the same call for the same document is refused
 * for a while, and for longer each time. So a document that somebody has made slow does not hold up the others.
 */
export class PatientCodec {
  readonly #codec: StoredDocumentCodec & Pick<DocumentCodec, "factsOf">
  /** By the document and the kind of call, the oldest first. */
  readonly #pauses = new Map<string, Pause>()

  constructor(codec: StoredDocumentCodec & Pick<DocumentCodec, "factsOf">) {
    this.#codec = codec
  }

  /** Returns the clients of an update that the server has made. */
  clientsOf(update: Uint8Array): Promise<DocumentClients> {
    return clientsOfServer(this.#codec, update)
  }

  /** Returns the codec for a document. */
  of(documentId: string): StoredDocumentCodec {
    const codec = this.#codec
    return {
      read: (...given) => this.#run(`read ${documentId}`, () => codec.read(...given)),
      edit: (...given) => this.#run(`edit ${documentId}`, () => codec.edit(...given)),
      deletedNames: (...given) => this.#run(`names ${documentId}`, () => codec.deletedNames(...given)),
      compact: (...given) => this.#run(`compact ${documentId}`, () => codec.compact(...given)),
      differenceFrom: (...given) => this.#run(`sync ${documentId}`, () => codec.differenceFrom(...given)),
      survey: (...given) => this.#run(`survey ${documentId}`, () => codec.survey(...given)),
    }
  }

  async #run<Result>(key: string, call: () => Promise<Result>): Promise<Result> {
    const pause = this.#pauses.get(key)
    if (pause && performance.now() < pause.until) throw tooSlow()
    try {
      const result = await call()
      this.#pauses.delete(key)
      return result
    } catch (error) {
      if (exceedsLimit(error)) this.#pause(key)
      throw error
    }
  }

  #pause(key: string): void {
    const earlierMs = this.#pauses.get(key)?.lengthMs
    const lengthMs = earlierMs === undefined ? FIRST_PAUSE_MS : Math.min(2 * earlierMs, LONGEST_PAUSE_MS)
    const [oldest] = this.#pauses.keys()
    if (this.#pauses.size === MAX_PAUSES && oldest !== undefined) this.#pauses.delete(oldest)
    this.#pauses.delete(key)
    this.#pauses.set(key, { lengthMs, until: performance.now() + lengthMs })
  }
}

/** True if a call of the codec took too long or too much memory, and is likely to do so again. */
export function exceedsLimit(error: unknown): error is ExceededLimit {
  return error instanceof Error && "exceededLimit" in error
}

/** True if Yjs could not complete a call with the updates of a document, and never will. */
export function isUnreadable(error: unknown): error is UnreadableDocument {
  return error instanceof Error && "isUnreadable" in error
}

function tooSlow(): Error {
  const error = new ApiError("SERVICE_UNAVAILABLE", {
    message: "The document takes too long to read. Try again later.",
  })
  return Object.assign(error, { exceededLimit: "time" as const })
}
