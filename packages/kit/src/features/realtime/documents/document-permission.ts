import type { DocumentRights } from "../../../engine/documents/document-rights.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { TopicAuthorization } from "../topics/authorized-topic.ts"

/** The caller's permission to read a document, and maybe to edit it. Its key changes with the right to edit. */
export interface DocumentPermission extends TopicAuthorization, DocumentRights {
  readonly documentId: string
}

export function permissionFor(rights: DocumentRights, documentId: string): DocumentPermission {
  return { ...rights, documentId, key: `${documentId} ${rights.canEdit}` }
}

/**
 * Throws CONFLICT if a client's replica is of another document than the one that the record has now. Merging the two
 * would double the text that both contain.
 */
export function checkEpoch(documentId: string, epoch: string | undefined): void {
  if (epoch !== undefined && epoch !== documentId) throw replacedDocument()
}

/** Creates the error for a document that was deleted. The record may have another one now. */
export function replacedDocument(): ApiError {
  return new ApiError("CONFLICT", { message: "The document was deleted, and made anew if the record has it again." })
}
