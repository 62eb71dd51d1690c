import { findPlace } from "../../../engine/documents/exact-place.ts"
import type { AppSchema, Resource } from "../../../schema/compile/resource.ts"
import {
  decodeUnwritten,
  fieldKey,
  selectUnwritten,
  type UnwrittenDocument,
} from "../../../sql/documents/read-documents.ts"
import type { DocumentServices } from "../document-services.ts"
import { type UnwrittenValue, writeValue } from "./value-writer.ts"

// A process writes the values of its edits within seconds. What is older was left by a process that has ended.
const SEARCH_AFTER_MS = 15_000

type WantedValues = Omit<Parameters<typeof selectUnwritten>[0], "fields">

/**
 * Looks for documents whose value was not written, because the process that received their edits has ended. It looks at
 * the start, and again some time after documents were used in this process.
 */
export class UnwrittenSearch {
  readonly #services: DocumentServices
  readonly #fields: readonly string[]
  #timer: NodeJS.Timeout | undefined
  /** True if documents were used since the timer was started, so that their edits may be too new for its look. */
  #isUsedAgain = false
  #current: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(services: DocumentServices) {
    this.#services = services
    this.#fields = collaborativeFields(services.engine.schema).map(fieldKey)
  }

  /** Writes the values that are unwritten now. */
  start(): void {
    this.#run({ idleMs: 0, includesRefused: true })
  }

  /** Looks once more after some time; to be called when documents are used. */
  lookLater(): void {
    this.#isUsedAgain = this.#timer !== undefined
    if (this.#isStopped || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#run({ idleMs: SEARCH_AFTER_MS, includesRefused: false })
      if (this.#isUsedAgain) this.lookLater()
    }, SEARCH_AFTER_MS)
    // A look that is due later does not keep the process alive.
    this.#timer.unref()
  }

  /** Resolves when no look is running. */
  settle(): Promise<void> {
    return this.#current
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#current
  }

  #run(wanted: WantedValues): void {
    this.#current = this.#current.then(() => this.#writeAll(wanted)).catch((error: unknown) => this.#onError(error))
  }

  async #writeAll(wanted: WantedValues): Promise<void> {
    const { rows } = await this.#services.database.query(selectUnwritten({ fields: this.#fields, ...wanted }))
    for (const document of rows.map(decodeUnwritten)) {
      if (this.#isStopped) return
      const unwritten = this.#valueOf(document)
      if (unwritten) await writeValue(this.#services, unwritten).catch((error: unknown) => this.#onError(error))
    }
    if (rows.length > 0) this.lookLater()
  }

  #valueOf({ id, ...names }: UnwrittenDocument): UnwrittenValue | undefined {
    // The cast is safe: the column is only ever written with the kind of a resource.
    const kind = names.kind as Resource["kind"]
    const place = findPlace(this.#services.engine.schema, { ...names, kind })
    return place && { id, place, session: undefined }
  }

  #onError(error: unknown): void {
    if (this.#isStopped) return
    this.#services.logger.warn("The values of shared documents were not written. It is tried again.", { error })
    this.lookLater()
  }
}

/** Returns the fields that have documents, each once for each of its locales. */
export function collaborativeFields({ resources, locales }: AppSchema): Parameters<typeof fieldKey>[0][] {
  return resources.flatMap(({ kind, name: resource, fields }) =>
    [...fields.values()]
      .filter(({ collaborative }) => collaborative !== undefined)
      .flatMap(({ name: field, localized }) =>
        (localized ? locales.all : [""]).map((locale) => ({ kind, resource, field, locale })),
      ),
  )
}
