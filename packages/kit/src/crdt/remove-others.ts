import type { DocumentStore, StoredUpdateFacts } from "./document-store.ts"

/**
 * Deletes what other users have left in the store. If nobody is signed in, the edits that a user could not send stay:
 * a session may have expired, and the user signs in again.
 */
export async function removeOthers(store: DocumentStore, userId: string | null): Promise<void> {
  const removed = (await store.list()).filter((update) => isRemoved(update, userId))
  for (const { key, id } of removed) await store.replace(key, [id])
}

function isRemoved({ userId: owner, isAcknowledged }: StoredUpdateFacts, userId: string | null): boolean {
  return typeof owner === "string" && owner !== userId && (isAcknowledged || userId !== null)
}
