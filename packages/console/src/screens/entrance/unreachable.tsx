import { KitClientError } from "kit/client"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { EntranceSheet } from "./entrance-sheet.tsx"
import { FormProblem } from "./form-problem.tsx"

interface UnreachableProps {
  readonly error: Error
  /** Without it, trying again loads the page again. */
  readonly onRetry?: () => void
}

/** Says that the app gave no answer, or which one it gave in place of the desk. */
export function Unreachable({ error, onRetry = () => location.reload() }: UnreachableProps) {
  const words = useEntranceWords()
  const request = error instanceof KitClientError ? error.requestId : undefined
  const hasAnswered = error instanceof KitClientError && error.status > 0
  return (
    <EntranceSheet title={hasAnswered ? words.indexFailed : words.unreachable}>
      <FormProblem text={hasAnswered ? error.message : words.unreachableHint} />
      {request && <code>{request}</code>}
      <button className="button primary" type="button" onClick={onRetry}>
        {words.tryAgain}
      </button>
    </EntranceSheet>
  )
}
