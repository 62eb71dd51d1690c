import type { Engine } from "../../engine/engine.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionLoader } from "../../ports/session-provider.ts"
import type { DocumentPlace } from "../../sql/documents/document-place.ts"
import type { PatientCodec } from "./patient-codec.ts"

/** The parts of an app that its documents use. */
export interface DocumentServices {
  readonly engine: Engine
  readonly database: Database
  readonly codec: PatientCodec
  readonly sessionLoader: SessionLoader
  readonly logger: Logger
  /** Runs `call`, which runs hooks of the author, and returns its result. */
  callHandler<Result>(call: () => Result): Result
}

/** A stored document, and the field to which it belongs. */
export interface OpenDocument {
  readonly place: DocumentPlace
  readonly id: string
}
