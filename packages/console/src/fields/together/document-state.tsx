import { type Words, useWords } from "../../words/words.ts"
import type { DocumentView } from "./use-document.ts"

/** Says how far the text is saved. Says nothing while all is well. */
export function DocumentState({ view }: { readonly view: DocumentView }) {
  const words = useWords("parts").shared
  const text = stateText(words, view)
  return (
    <p className="document-state" role="status">
      {text}
    </p>
  )
}

function stateText(words: Words["parts"]["shared"], { status, pending, canEdit, problem, error }: DocumentView): string {
  if (status === "connecting") return words.connecting
  if (status === "denied") return [words.denied, problem ?? error?.message ?? ""].join(" ")
  if (status === "offline") return pending > 0 ? words.kept(pending) : words.offline
  // A text with something that this editor does not know is read-only, and the problem says so.
  if (problem !== null) return canEdit ? words.notSaved(problem) : problem
  return pending > 0 ? words.saving : ""
}
