import { rootOf } from "../../../engine/documents/exact-place.ts"
import type { SentUpdate } from "../../../engine/documents/live-documents.ts"
import type { UpdateNames } from "../../../ports/document-codec.ts"
import { decodeOtherNames, rememberNames, selectOtherNames } from "../../../sql/documents/document-names.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { RichTextVocabulary } from "../../../wire/results/rich-text.ts"
import type { DocumentServices, OpenDocument } from "../document-services.ts"
import { allUpdates, readWholeDocument } from "../read-document.ts"
import { recoverFrom } from "../set-broken-aside.ts"

type NameServices = Pick<DocumentServices, "database" | "codec" | "engine" | "logger">

/** The names of ProseMirror's basic schema, which an editor knows that does not say what it knows. */
const BASIC: RichTextVocabulary = {
  nodes: ["paragraph", "blockquote", "horizontal_rule", "heading", "code_block", "image", "hard_break"],
  marks: ["link", "em", "strong", "code"],
}
const ALWAYS = ["node doc", "node text"]
const MAX_DOCUMENTS = 10_000

/**
 * Knows which names the shared rich texts have, so that only a deletion in a document with names that the sender has
 * not declared makes anyone load the document.
 */
export class DocumentNames {
  readonly #services: NameServices
  /** The names that are stored for a document for certain; the documents used longest ago come first. */
  readonly #stored = new Map<string, ReadonlySet<string>>()

  constructor(services: NameServices) {
    this.#services = services
  }

  /** Throws if an update deletes something that the sender's editor does not know. Stores the names that it adds. */
  async admit(document: OpenDocument, sent: SentUpdate, { added, removes }: UpdateNames): Promise<void> {
    if (rootOf(document.place).shape !== "richText") return
    if (removes) await this.#checkRemovals(document, sent)
    await this.#remember(document.id, added)
  }

  async #checkRemovals(document: OpenDocument, { update, declared = BASIC }: SentUpdate): Promise<void> {
    const { database } = this.#services
    const known = [...ALWAYS, ...storedNames(declared)]
    const { rows } = await database.query(selectOtherNames(document.id, known))
    if (!decodeOtherNames(rows)) return
    const deleted = await this.#deletedNames(document, update)
    const undeclared = deleted.filter((name) => !known.includes(name))
    if (undeclared.length > 0) throw undeclaredNames(undeclared)
  }

  async #deletedNames({ place, id }: OpenDocument, update: Uint8Array): Promise<readonly string[]> {
    const { database, codec } = this.#services
    const whole = await readWholeDocument(database, id)
    // The append says that the document no longer exists.
    if (whole === undefined) return []
    try {
      const { names, deleted } = await codec.of(id).deletedNames(rootOf(place), allUpdates(whole), update)
      await database.query(rememberNames({ documentId: id, names, isComplete: true }))
      return deleted
    } catch (error) {
      // The document has a new id then, so that the append refuses the update.
      await recoverFrom(error, this.#services, id)
      return []
    }
  }

  async #remember(documentId: string, names: readonly string[]): Promise<void> {
    const stored = this.#stored.get(documentId) ?? new Set()
    if (names.every((name) => stored.has(name))) return
    await this.#services.database.query(rememberNames({ documentId, names, isComplete: false }))
    const [oldest] = this.#stored.keys()
    if (this.#stored.size >= MAX_DOCUMENTS && oldest !== undefined) this.#stored.delete(oldest)
    this.#stored.delete(documentId)
    this.#stored.set(documentId, new Set([...stored, ...names]))
  }
}

function storedNames({ nodes, marks }: RichTextVocabulary): readonly string[] {
  return [...nodes.map((name) => `node ${name}`), ...marks.map((name) => `mark ${name}`)]
}

function undeclaredNames(names: readonly string[]): ApiError {
  const listed = names.map((name) => name.replace(/ (.*)/s, ' "$1"')).join(", the ")
  const message =
    `The edit deletes something that the editor does not know: the ${listed}. ` +
    "Open the document with the editor's schema: document({ schema })."
  return new ApiError("UNPROCESSABLE_CONTENT", { message, context: { undeclared: names } })
}
