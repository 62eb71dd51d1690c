import type { LiveDocuments } from "../../../engine/documents/live-documents.ts"

/**
 * The documents of an app without collaborative fields. Nothing calls these functions, because the rights to a document
 * are checked first, and there is no field with documents.
 */
export const NO_DOCUMENTS: LiveDocuments = Object.freeze({
  open: refuse,
  sync: refuse,
  updatesSince: refuse,
  append: refuse,
  onRecordChanged: () => {},
})

function refuse(): Promise<never> {
  return Promise.reject(new Error("The app has no collaborative fields."))
}
