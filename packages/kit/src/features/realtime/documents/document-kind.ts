import type { LiveDocuments } from "../../../engine/documents/live-documents.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { Topic, TopicKind, TopicRequest } from "../topics/topic-kind.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import { type DocumentRequest, readDocumentRequest } from "./document-request.ts"
import { DocumentRooms } from "./document-rooms.ts"
import { DocumentTopic } from "./document-topic.ts"
import { RecordWatchers } from "./record-watchers.ts"

interface DocumentSettings {
  readonly documents: LiveDocuments
  /** The maximum number of documents that are read concurrently. */
  readonly maxConcurrentReads: number
}

/** The kind of topic that is a collaborative document. */
export class DocumentKind implements TopicKind<DocumentRequest> {
  readonly member = "documents"
  readonly read = readDocumentRequest
  readonly rooms: DocumentRooms
  readonly #watchers = new RecordWatchers()

  constructor(engine: LiveEngine, settings: DocumentSettings) {
    this.rooms = new DocumentRooms(engine, { ...settings, watchers: this.#watchers })
  }

  owns(request: TopicRequest): request is DocumentRequest {
    return request.kind === "document"
  }

  keyOf(request: DocumentRequest): string {
    return JSON.stringify({ ...request, epoch: undefined, stateVector: undefined })
  }

  open(request: DocumentRequest, stream: TopicStream): Topic {
    return new DocumentTopic(request, { stream, rooms: this.rooms, watchers: this.#watchers })
  }

  // Rights that depend on a changed record are evaluated again before anything is sent.
  onChanges(changes: readonly CommittedChange[]): Promise<void> {
    this.#watchers.onChanges(changes)
    this.rooms.onChanges(changes)
    return Promise.resolve()
  }

  onGap(): void {
    this.rooms.refreshAll()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
