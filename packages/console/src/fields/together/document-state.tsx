import { useEffect, useState } from "react"
import { useWords, type Words } from "../../words/words.ts"
import type { DocumentView } from "./use-document.ts"

// A shorter wait is not mentioned: a line that comes and goes with every word would only disturb.
const PATIENCE_MS = 1_500

/** Says how far the text is saved. Says nothing while all is well. */
export function DocumentState({ view }: { readonly view: DocumentView }) {
  const words = useWords("parts").shared
  const isUnderWay = isPassing(view)
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(isUnderWay), isUnderWay ? PATIENCE_MS : 0)
    return () => clearTimeout(timer)
  }, [isUnderWay])
  return (
    <p className="document-state" role="status">
      {isUnderWay && !isLong ? "" : stateText(words, view)}
    </p>
  )
}

// The text is on its way from the server or to it, as after every key.
function isPassing({ status, pending, problem }: DocumentView): boolean {
  return status === "connecting" || (status === "synced" && problem === null && pending > 0)
}

function stateText(
  words: Words["parts"]["shared"],
  { status, pending, canEdit, problem, error }: DocumentView,
): string {
  if (status === "connecting") return words.connecting
  if (status === "denied") return [words.denied, problem ?? error?.message ?? ""].join(" ")
  if (status === "offline") return pending > 0 ? words.kept(pending) : words.offline
  // A text with something that this editor does not know is read-only, and the problem says so.
  if (problem !== null) return canEdit ? words.notSaved(problem) : problem
  return pending > 0 ? words.saving : ""
}
