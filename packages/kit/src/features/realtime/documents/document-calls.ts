import { denied } from "../../../engine/access/authorize.ts"
import type { OperationContext } from "../../../engine/context/operation-context.ts"
import type { NamedDocument } from "../../../engine/documents/document-address.ts"
import { evaluateDocumentRights } from "../../../engine/documents/document-rights.ts"
import type { LiveDocuments } from "../../../engine/documents/live-documents.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { RichTextVocabulary } from "../../../wire/results/rich-text.ts"
import { isStreamId } from "../streams/stream-tokens.ts"
import type { AwarenessExchange, OwnedEntries } from "./awareness/awareness-exchange.ts"
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
  /** The names that the client's editor knows; undefined if it does not say. */
  readonly declared: RichTextVocabulary | undefined
}

interface SentUpdate extends Pick<SendRequest, "epoch" | "declared">, Pick<SentFrames, "update"> {}

interface SentAwareness extends Pick<SendRequest, "stream">, Pick<SentFrames, "awareness"> {}

/** Handles the HTTP requests with which clients send updates of documents. */
export class DocumentCalls {
  readonly permissions: RecentPermissions
  readonly #dependencies: CallDependencies

  constructor(dependencies: CallDependencies) {
    this.#dependencies = dependencies
    this.permissions = new RecentPermissions(async (ctx, named) => {
      const rights = await evaluateDocumentRights(ctx, named)
      return permissionFor(rights, (await dependencies.documents.open(rights.address)).id)
    })
  }

  /** Stores what the client has sent. Resolves after the commit, to the number of the stored update. */
  async send(ctx: OperationContext, request: SendRequest, body: Uint8Array): Promise<{ readonly seq: number | null }> {
    const { epoch, stream, declared, ...named } = request
    const { update, awareness } = readFrames(body)
    const states = readStates(ctx, { awareness, stream })
    const recent = await this.permissions.find(ctx, named)
    const isOfAnother = epoch !== undefined && epoch !== recent.documentId
    const permission = isOfAnother ? await this.permissions.renew(ctx, named) : recent
    const { documentId } = permission
    checkEpoch(documentId, epoch)
    const seq = update.length === 0 ? null : await this.#append(ctx, permission, { update, epoch, declared })
    if (states) this.#dependencies.awareness.offer(documentId, states)
    return { seq }
  }

  async #append(ctx: OperationContext, permission: DocumentPermission, sent: SentUpdate): Promise<number> {
    const { update, epoch, declared } = sent
    const { documents, rooms } = this.#dependencies
    const { address, documentId, canEdit } = permission
    if (epoch === undefined) throw invalid("epoch", "Expected the epoch in the document's first event.")
    if (!canEdit) throw denied(ctx.session, "edit this document")
    const { seq, stored } = await documents.append(address, documentId, { update, session: ctx.session, declared })
    // The change feed would have the room read the update back. This saves the read.
    if (ctx.hasShortcuts && stored) rooms.find(documentId)?.deliver(new SharedUpdate(seq, stored))
    return seq
  }
}

// Returns the states that the client has sent, with their stream. Returns undefined if there are none.
function readStates({ session }: OperationContext, { awareness, stream }: SentAwareness): OwnedEntries | undefined {
  const entries = stampAwareness(awareness, session)
  if (entries.length === 0) return undefined
  if (stream !== undefined && isStreamId(stream))
    return { owner: { stream, userId: session?.user.id ?? null }, entries }
  throw invalid("stream", "Expected the sessionId of the stream that follows the document.")
}
