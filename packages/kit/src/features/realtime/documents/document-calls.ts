import { denied } from "../../../engine/access/authorize.ts"
import type { OperationContext } from "../../../engine/context/operation-context.ts"
import type { NamedDocument } from "../../../engine/documents/document-address.ts"
import { evaluateDocumentRights } from "../../../engine/documents/document-rights.ts"
import type { LiveDocuments } from "../../../engine/documents/live-documents.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { AwarenessExchange } from "./awareness/awareness-exchange.ts"
import type { AwarenessEntry } from "./awareness/awareness-update.ts"
import { stampAwareness } from "./awareness/stamp-awareness.ts"
import { checkEpoch, type DocumentPermission, permissionFor } from "./document-permission.ts"
import type { DocumentRooms } from "./document-rooms.ts"
import { RecentPermissions } from "./recent-permissions.ts"
import { readFrames, type SentFrames } from "./sent-frames.ts"
import { SharedUpdate } from "./shared-update.ts"

interface CallDependencies {
  readonly documents: LiveDocuments
  readonly rooms: DocumentRooms
  readonly awareness: AwarenessExchange
}

/** A request with which a client sends an update, the state of its cursor, or both. */
export interface SendRequest extends NamedDocument {
  /** The epoch of the client's replica. */
  readonly epoch: string | undefined
  /** The id of the stream on which the client follows the document. */
  readonly stream: string | undefined
}

interface SentUpdate extends Pick<SendRequest, "epoch">, Pick<SentFrames, "update"> {}

interface SentStates extends Pick<SendRequest, "stream"> {
  readonly entries: readonly AwarenessEntry[]
}

/** Handles the HTTP requests with which clients send updates of documents. */
export class DocumentCalls {
  readonly permissions: RecentPermissions
  readonly #dependencies: CallDependencies

  constructor(dependencies: CallDependencies) {
    this.#dependencies = dependencies
    this.permissions = new RecentPermissions(async (ctx, named) => {
      const rights = await evaluateDocumentRights(ctx, named)
      return permissionFor(rights, (await dependencies.rooms.open(rights.address)).id)
    })
  }

  /** Stores what the client has sent. Resolves after the commit, to the number of the stored update. */
  async send(ctx: OperationContext, request: SendRequest, body: Uint8Array): Promise<{ readonly seq: number | null }> {
    const { epoch, stream, ...named } = request
    const { update, awareness } = readFrames(body)
    const entries = stampAwareness(awareness, ctx.session)
    const permission = await this.permissions.find(ctx, named)
    checkEpoch(permission.documentId, epoch)
    const seq = update.length === 0 ? null : await this.#append(ctx, permission, { update, epoch })
    if (entries.length > 0) this.#show(ctx, permission, { entries, stream })
    return { seq }
  }

  async #append(ctx: OperationContext, permission: DocumentPermission, { update, epoch }: SentUpdate): Promise<number> {
    const { documents, rooms } = this.#dependencies
    const { address, documentId, canEdit } = permission
    if (epoch === undefined) throw invalid("epoch", "Expected the epoch in the document's first event.")
    if (!canEdit) throw denied(ctx.session, "edit this document")
    const seq = await documents.append(address, documentId, { update, session: ctx.session })
    // The change feed would have the room read the update back. This saves the read.
    if (ctx.hasShortcuts) rooms.find(documentId)?.deliver(new SharedUpdate(seq, update))
    return seq
  }

  #show(ctx: OperationContext, { documentId }: DocumentPermission, { entries, stream }: SentStates): void {
    if (stream === undefined) throw invalid("stream", "Expected the sessionId of the stream that follows the document.")
    const owner = { stream, userId: ctx.session?.user.id ?? null }
    this.#dependencies.awareness.offer(documentId, { owner, entries })
  }
}
