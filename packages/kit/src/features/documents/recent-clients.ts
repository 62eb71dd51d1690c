import type { ClientsAt, DocumentClient, DocumentClients } from "../../sql/documents/document-clients.ts"

interface Recent {
  seq: number
  readonly clients: Map<number, DocumentClient>
}

const MAX_DOCUMENTS = 1_000
const MAX_CLIENTS = 200_000

/**
 * The clients of the documents that this process has appended to last, so that they are not read for each update.
 * Another process may have appended since: each of them is right only as long as the document has that `seq`.
 */
export class RecentClients {
  /** The documents, those first that were used longest ago. */
  readonly #documents = new Map<string, Recent>()
  #count = 0

  find(documentId: string): (ClientsAt & { readonly clients: DocumentClients }) | undefined {
    return this.#documents.get(documentId)
  }

  /** Remembers the clients of a document, with the changed ones in place of the earlier. */
  remember(documentId: string, { seq, clients }: Pick<Recent, "seq"> & ChangedClients): void {
    const known = this.#documents.get(documentId)
    const all = known?.clients ?? new Map(clients.before)
    this.forget(documentId)
    for (const [client, changed] of clients.changed) all.set(client, changed)
    this.#documents.set(documentId, { seq, clients: all })
    this.#count += all.size
    this.#makeRoom()
  }

  forget(documentId: string): void {
    this.#count -= this.#documents.get(documentId)?.clients.size ?? 0
    this.#documents.delete(documentId)
  }

  #makeRoom(): void {
    for (const documentId of this.#documents.keys()) {
      if (this.#documents.size <= MAX_DOCUMENTS && this.#count <= MAX_CLIENTS) return
      this.forget(documentId)
    }
  }
}

interface ChangedClients {
  readonly clients: { readonly before: DocumentClients; readonly changed: DocumentClients }
}
