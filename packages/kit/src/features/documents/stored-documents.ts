import { type DocumentAddress, documentKey } from "../../engine/documents/document-address.ts"
import { exactPlace, rootOf } from "../../engine/documents/exact-place.ts"
import type {
  AppendedUpdate,
  DocumentSync,
  LiveDocuments,
  SentUpdate,
  StoredDocument,
  UpdatesPage,
} from "../../engine/documents/live-documents.ts"
import { recordNotFound } from "../../engine/read/by-id.ts"
import type { DocumentCodec } from "../../ports/document-codec.ts"
import { MAX_DOCUMENT_BYTES } from "../../sql/documents/append-updates.ts"
import type { DocumentPlace } from "../../sql/documents/document-place.ts"
import { insertDocument } from "../../sql/documents/make-document.ts"
import { decodeUpdatesSince, selectUpdatesSince } from "../../sql/documents/read-documents.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { AppendQueue, documentTooLarge } from "./append-queue.ts"
import { CheckQueue } from "./check-queue.ts"
import { compact } from "./compact.ts"
import type { DocumentServices, OpenDocument } from "./document-services.ts"
import { clientsOfServer } from "./fit-update.ts"
import { DocumentNames } from "./names/document-names.ts"
import { PatientCodec } from "./patient-codec.ts"
import { allUpdates, readFieldValue, readPlacedDocument, readWholeDocument } from "./read-document.ts"
import { recoverFrom, surveyStored } from "./set-broken-aside.ts"
import { PendingValues } from "./values/pending-values.ts"
import { reconcile } from "./values/reconcile.ts"
import { UnwrittenSearch } from "./values/unwritten-search.ts"
import { writeValue } from "./values/value-writer.ts"

// The maximum number of bytes of one update.
const MAX_UPDATE_BYTES = 256 * 1024

interface StoredDocumentsServices extends Omit<DocumentServices, "codec"> {
  readonly codec: DocumentCodec
}

const MAX_TRIES = 3
// How long the values that are pending at a shutdown may take. What is not written then is found at the next start.
const CLOSE_MS = 3_000

/**
 * The shared documents of an app. Nothing of a document is kept in memory except the updates that are being stored, and
 * the timers of a value that is about to be written.
 */
export class StoredDocuments implements LiveDocuments {
  readonly #services: DocumentServices
  readonly #codec: DocumentCodec
  readonly #checks: CheckQueue
  readonly #names: DocumentNames
  readonly #appends: AppendQueue
  readonly #values: PendingValues
  readonly #search: UnwrittenSearch
  readonly #opening = new Map<string, Promise<StoredDocument>>()
  readonly #reconciling = new Map<string, { promise: Promise<void>; isOutdated: boolean }>()

  constructor({ codec, ...others }: StoredDocumentsServices) {
    const services = { ...others, codec: new PatientCodec(codec) }
    this.#services = services
    this.#codec = codec
    this.#checks = new CheckQueue(codec)
    this.#names = new DocumentNames(services)
    this.#appends = new AppendQueue({
      database: services.database,
      codec,
      hasShortcuts: services.engine.systemContextOn(services.database).hasShortcuts,
      countClients: async (documentId) => void (await surveyStored(services, documentId)),
      compact: (documentId) => compact(services, documentId),
    })
    this.#search = new UnwrittenSearch(services)
    this.#values = new PendingValues({
      write: (unwritten) => writeValue(services, unwritten),
      onFailed: () => this.#search.lookLater(),
      logger: services.logger,
    })
  }

  /** Writes, in the background, the values that processes have left unwritten. */
  recover(): void {
    this.#search.start()
  }

  async open(address: DocumentAddress): Promise<StoredDocument> {
    const key = documentKey(address)
    const opening = this.#opening.get(key) ?? this.#openOnce(exactPlace(this.#services.engine.schema, address))
    this.#opening.set(key, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(key)
    }
  }

  async sync(documentId: string, stateVector: Uint8Array | undefined): Promise<DocumentSync | undefined> {
    const { database, codec } = this.#services
    this.#search.lookLater()
    const whole = await readWholeDocument(database, documentId)
    if (whole === undefined) return undefined
    const { seq, problem } = whole
    try {
      const difference = await codec.of(documentId).differenceFrom(allUpdates(whole), stateVector)
      return { id: documentId, seq, problem, ...difference }
    } catch (error) {
      await recoverFrom(error, this.#services, documentId)
      // The document has another id now.
      return undefined
    }
  }

  async updatesSince(documentId: string, seq: number): Promise<UpdatesPage | undefined> {
    this.#search.lookLater()
    const { rows } = await this.#services.database.query(selectUpdatesSince(documentId, seq))
    const page = decodeUpdatesSince(seq, rows)
    return page && { id: documentId, ...page }
  }

  async append(address: DocumentAddress, documentId: string, sent: SentUpdate): Promise<AppendedUpdate> {
    const { engine } = this.#services
    const { update, session } = sent
    if (update.byteLength > MAX_UPDATE_BYTES) throw updateTooLarge()
    const place = exactPlace(engine.schema, address)
    const checked = await this.#checks.check(documentId, { root: rootOf(place), update })
    if (checked.refusal !== undefined) throw new ApiError("BAD_REQUEST", { message: checked.refusal })
    await this.#names.admit({ place, id: documentId }, sent, checked)
    const facts = await this.#codec.factsOf(update)
    const appended = await this.#appends.append(documentId, { update, facts, userId: session?.user.id ?? null })
    if (appended.stored) this.#values.schedule({ place, id: documentId, session })
    return appended
  }

  onRecordChanged(address: DocumentAddress): void {
    const key = documentKey(address)
    const running = this.#reconciling.get(key)
    if (running) {
      running.isOutdated = true
      return
    }
    const entry = { isOutdated: true, promise: Promise.resolve() }
    this.#reconciling.set(key, entry)
    entry.promise = this.#reconcileUntilCurrent(address, entry).finally(() => this.#reconciling.delete(key))
  }

  /** Writes all pending values. Resolves when the records have the values of their documents. */
  async settle(): Promise<void> {
    await this.#search.settle()
    while (this.#reconciling.size > 0) await Promise.all([...this.#reconciling.values()].map(({ promise }) => promise))
    await this.#values.settle()
  }

  /** Writes the pending values, within a limited time, and stops. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS)
    })
    await Promise.race([this.settle(), late])
    clearTimeout(timer)
    this.#values.stop()
    await Promise.race([this.#search.stop(), late])
  }

  async #openOnce(place: DocumentPlace): Promise<StoredDocument> {
    this.#search.lookLater()
    for (let tries = 1; ; tries++) {
      const { hasRecord, document } = await readPlacedDocument(this.#services.database, place)
      if (!hasRecord) throw recordNotFound(place.resource, place.recordId)
      if (document?.isSetAside) this.#values.schedule({ place, id: document.id, session: undefined })
      if (document && (document.isCurrent || tries > MAX_TRIES)) return document
      if (tries > MAX_TRIES) throw new ApiError("SERVICE_UNAVAILABLE")
      if (document) await this.#reconcile({ place, id: document.id })
      else await this.#make(place)
    }
  }

  async #make(place: DocumentPlace): Promise<void> {
    const { database } = this.#services
    const current = await readFieldValue(database, place)
    if (current === undefined) return
    const state = await this.#codec.create(rootOf(place), current.value)
    if (state.byteLength > MAX_DOCUMENT_BYTES) throw documentTooLarge()
    const clients = await clientsOfServer(this.#codec, state)
    await database.query(insertDocument(place, { state, hash: current.hash, clients }))
  }

  async #reconcile(document: OpenDocument): Promise<void> {
    try {
      const isUnwritten = await reconcile(this.#services, document)
      if (isUnwritten) this.#values.schedule({ ...document, session: undefined })
    } catch (error) {
      const id = await recoverFrom(error, this.#services, document.id)
      this.#values.schedule({ ...document, id, session: undefined })
    }
  }

  async #reconcileUntilCurrent(address: DocumentAddress, entry: { isOutdated: boolean }): Promise<void> {
    const { engine, logger } = this.#services
    try {
      const place = exactPlace(engine.schema, address)
      while (entry.isOutdated) {
        entry.isOutdated = false
        await this.#reconcilePlace(place)
      }
    } catch (error) {
      logger.warn("A change of a record did not reach its shared document. It does when the document is opened.", {
        error,
      })
    }
  }

  async #reconcilePlace(place: DocumentPlace): Promise<void> {
    const { document } = await readPlacedDocument(this.#services.database, place)
    if (document && !document.isCurrent) await this.#reconcile({ place, id: document.id })
  }
}

function updateTooLarge(): ApiError {
  const message = `An update may have ${MAX_UPDATE_BYTES / 1024} KB. Send smaller updates, one after the other.`
  return new ApiError("PAYLOAD_TOO_LARGE", { message })
}
