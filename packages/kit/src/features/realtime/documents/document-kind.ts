import type { LiveDocuments } from "../../../engine/documents/live-documents.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { LiveEngine } from "../live-engine.ts"
import { ChannelMembers } from "../presence/channel-members.ts"
import type { Topic, TopicKind, TopicRequest } from "../topics/topic-kind.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import { AwarenessExchange } from "./awareness/awareness-exchange.ts"
import { DocumentCalls } from "./document-calls.ts"
import { type DocumentRequest, readDocumentRequest } from "./document-request.ts"
import { DocumentRooms } from "./document-rooms.ts"
import { DocumentTopic } from "./document-topic.ts"
import { RecordWatchers } from "./record-watchers.ts"

interface DocumentSettings {
  /** Undefined if the app has no collaborative field. */
  readonly documents: LiveDocuments | undefined
  /** The maximum number of documents that are read concurrently. */
  readonly maxConcurrentReads: number
}

const EDITORS = { maxConnections: 100, message: "A document has at most 100 editors at the same time." }

/** The kind of topic that is a collaborative document. */
export class DocumentKind implements TopicKind<DocumentRequest> {
  readonly member = "documents"
  readonly read = readDocumentRequest
  /** Handles the requests with which clients send updates. */
  readonly calls: DocumentCalls
  readonly #rooms: DocumentRooms
  readonly #watchers = new RecordWatchers()
  readonly #awareness: AwarenessExchange
  readonly #editors: ChannelMembers

  constructor(engine: LiveEngine, { documents = NO_DOCUMENTS, maxConcurrentReads }: DocumentSettings) {
    const watchers = this.#watchers
    this.#awareness = new AwarenessExchange(engine)
    this.#editors = new ChannelMembers(engine, EDITORS)
    this.#rooms = new DocumentRooms(engine, { documents, maxConcurrentReads, watchers, awareness: this.#awareness })
    this.calls = new DocumentCalls({ documents, rooms: this.#rooms, awareness: this.#awareness })
  }

  owns(request: TopicRequest): request is DocumentRequest {
    return request.kind === "document"
  }

  keyOf(request: DocumentRequest): string {
    return JSON.stringify({ ...request, epoch: undefined, stateVector: undefined })
  }

  open(request: DocumentRequest, stream: TopicStream): Topic {
    return new DocumentTopic(request, {
      stream,
      rooms: this.#rooms,
      watchers: this.#watchers,
      awareness: this.#awareness,
      editors: this.#editors,
    })
  }

  // Rights that depend on a changed record are evaluated again before anything is sent.
  onChanges(changes: readonly CommittedChange[]): Promise<void> {
    this.calls.permissions.onChanges(changes)
    this.#watchers.onChanges(changes)
    this.#rooms.onChanges(changes)
    return Promise.resolve()
  }

  onGap(): void {
    this.calls.permissions.forgetAll()
    this.#rooms.refreshAll()
  }

  /** Stores that no editor is connected to this process any more. */
  close(): Promise<void> {
    return this.#editors.close()
  }
}

/**
 * The documents of an app without collaborative fields. Nothing calls these functions, because the rights to a document
 * are checked first, and there is no field with documents.
 */
const NO_DOCUMENTS: LiveDocuments = Object.freeze({
  open: refuse,
  sync: refuse,
  updatesSince: refuse,
  append: refuse,
  onRecordChanged: () => {},
})

function refuse(): Promise<never> {
  return Promise.reject(new Error("The app has no collaborative fields."))
}
