import type { CheckedUpdate, DocumentRoot } from "../../ports/document-codec.ts"
import { checkUpdate } from "./checks/check-update.ts"
import {
  compact,
  createDocument,
  cutUpdate,
  deletedNames,
  differenceFrom,
  editDocument,
  readDocument,
} from "./documents.ts"
import { factsOf } from "./sections/update-facts.ts"
import { surveyDocument } from "./survey-document.ts"
import type { CodecCall } from "./thread/thread-message.ts"

/** Runs one call of the codec in the present thread. */
export function runCall(call: CodecCall): unknown {
  switch (call.kind) {
    case "create":
      return createDocument(call.root, call.value)
    case "check":
      return checkEach(call.root, call.updates)
    case "read":
      return readDocument(call.root, call.updates)
    case "edit":
      return editDocument(call.root, call.updates, call.value)
    case "deletedNames":
      return deletedNames(call.root, call.updates, call.update)
    case "compact":
      return compact(call.updates)
    case "differenceFrom":
      return differenceFrom(call.updates, call.stateVector)
    case "facts":
      return call.updates.map(factsOf)
    case "cut":
      return call.updates.map((update) => cutUpdate(update, call.known))
    case "survey":
      return surveyDocument(call.root, call.updates)
    default:
      return call satisfies never
  }
}

// Each update is checked by itself, so that one that cannot be decoded does not fail the others.
function checkEach(root: DocumentRoot, updates: readonly Uint8Array[]): readonly CheckedUpdate[] {
  return updates.map((update) => {
    try {
      return checkUpdate(root, update)
    } catch {
      return { refusal: "The update cannot be decoded." }
    }
  })
}
