import type { DocumentAddress } from "../../../engine/documents/document-address.ts"
import type {
  DocumentSync,
  LiveDocuments,
  StoredDocument,
  UpdatesPage,
} from "../../../engine/documents/live-documents.ts"
import { resourceKey } from "../../../engine/live/resources-read.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import { DOCUMENT_CHANGE } from "../../../sql/documents/document-changes.ts"
import type { LiveEngine } from "../live-engine.ts"
import { Semaphore } from "../topics/semaphore.ts"
import type { AwarenessExchange } from "./awareness/awareness-exchange.ts"
import { DocumentRoom, type RoomSubscriber } from "./document-room.ts"
import type { RecordWatchers } from "./record-watchers.ts"

interface RoomsOptions {
  readonly documents: LiveDocuments
  readonly watchers: RecordWatchers
  readonly awareness: AwarenessExchange
  /** The maximum number of documents that are read concurrently. */
  readonly maxConcurrentReads: number
}

/** A document whose rights have been checked. */
interface OpenDocument {
  readonly documentId: string
  readonly address: DocumentAddress
}

/** A subscriber's place in a room. */
export interface RoomSeat {
  readonly room: DocumentRoom
  leave(): void
}

interface OpenRoom {
  readonly room: DocumentRoom
  onRecordChanged(): void
  /** Called when the last subscriber has left. */
  close(): void
}

/** The documents that have subscribers in this process. */
export class DocumentRooms {
  readonly #engine: LiveEngine
  readonly #options: RoomsOptions
  readonly #semaphore: Semaphore
  readonly #rooms = new Map<string, OpenRoom>()

  constructor(engine: LiveEngine, options: RoomsOptions) {
    this.#engine = engine
    this.#options = options
    this.#semaphore = new Semaphore(options.maxConcurrentReads)
  }

  find(documentId: string): DocumentRoom | undefined {
    return this.#rooms.get(documentId)?.room
  }

  /** Adds a subscriber to a document's room. From now on, the room reads the updates that the change feed announces. */
  join(document: OpenDocument, subscriber: RoomSubscriber): RoomSeat {
    const { documentId } = document
    const opened = this.#rooms.get(documentId) ?? this.#openRoom(document)
    const { room } = opened
    room.add(subscriber)
    return { room, leave: () => this.#leave(documentId, opened, subscriber) }
  }

  open(address: DocumentAddress): Promise<StoredDocument> {
    return this.#semaphore.run(() => this.#options.documents.open(address))
  }

  sync(documentId: string, stateVector: Uint8Array | undefined): Promise<DocumentSync | undefined> {
    return this.#semaphore.run(() => this.#options.documents.sync(documentId, stateVector))
  }

  updatesSince(documentId: string, seq: number): Promise<UpdatesPage | undefined> {
    return this.#semaphore.run(() => this.#options.documents.updatesSince(documentId, seq))
  }

  /** Makes the rooms of the documents among these changes read their new updates. */
  onChanges(changes: readonly CommittedChange[]): void {
    if (this.#rooms.size === 0) return
    for (const { resourceKind, resource, record } of changes) {
      if (resourceKind === DOCUMENT_CHANGE) this.find(resource)?.onAnnounced(Number(record))
    }
  }

  /** Called when changes may have been missed. */
  refreshAll(): void {
    for (const { room, onRecordChanged } of this.#rooms.values()) {
      onRecordChanged()
      room.refresh()
    }
  }

  #openRoom({ documentId, address }: OpenDocument): OpenRoom {
    const { documents, watchers, awareness } = this.#options
    const room = new DocumentRoom({
      engine: this.#engine,
      read: (position) => this.updatesSince(documentId, position),
    })
    const onRecordChanged = () => documents.onRecordChanged(address)
    const stopWatching = watchers.watch(resourceKey(address.resource), address.recordId, { onRecordChanged })
    const stopExchange = awareness.open(documentId, room)
    const close = () => {
      stopWatching()
      stopExchange()
    }
    const opened = { room, onRecordChanged, close }
    this.#rooms.set(documentId, opened)
    return opened
  }

  #leave(documentId: string, { room, close }: OpenRoom, subscriber: RoomSubscriber): void {
    room.remove(subscriber)
    if (!room.isEmpty || this.find(documentId) !== room) return
    this.#rooms.delete(documentId)
    close()
  }
}
