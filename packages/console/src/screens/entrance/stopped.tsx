import { useEntranceWords } from "../../words/entrance-words.ts"
import { EntranceSheet } from "./entrance-sheet.tsx"
import { FormProblem } from "./form-problem.tsx"

/** Says that the whole page has failed, and why. */
export function Stopped({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const words = useEntranceWords()
  return (
    <EntranceSheet title={words.stopped}>
      <FormProblem text={error.message} />
      <button className="button primary" type="button" onClick={onRetry}>
        {words.tryAgain}
      </button>
    </EntranceSheet>
  )
}
