import type { DocumentRoot } from "../../ports/document-codec.ts"
import { checkUpdate } from "./checks/check-update.ts"
import { compact, createDocument, differenceFrom, editDocument, readDocument } from "./documents.ts"
import type { CodecCall } from "./thread/thread-message.ts"

/** Runs one call of the codec in the present thread. */
export function runCall(call: CodecCall): unknown {
  switch (call.kind) {
    case "create":
      return createDocument(call.root, call.value)
    case "check":
      return firstRefusal(call.root, call.updates)
    case "read":
      return readDocument(call.root, call.updates)
    case "edit":
      return editDocument(call.root, call.updates, call.value)
    case "compact":
      return compact(call.updates)
    case "differenceFrom":
      return differenceFrom(call.updates, call.stateVector)
    default:
      return call satisfies never
  }
}

function firstRefusal(root: DocumentRoot, updates: readonly Uint8Array[]): string | undefined {
  for (const update of updates) {
    const refusal = checkUpdate(root, update)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
