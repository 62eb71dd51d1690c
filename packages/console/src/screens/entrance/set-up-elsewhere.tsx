import { boot } from "../../kit/boot.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { EntranceSheet } from "./entrance-sheet.tsx"

/** Says where the link to the set-up is found. People who have an account already can sign in. */
export function SetUpElsewhere({ onSignIn }: { readonly onSignIn: () => void }) {
  const words = useEntranceWords()
  return (
    <EntranceSheet title={words.setUpElsewhere}>
      <p>{words.setUpElsewhereHint}</p>
      <div className="transcript">
        Finish the set-up: {location.origin}
        {boot.consoleBase}#setup=…
      </div>
      <button className="button primary" type="button" onClick={() => location.reload()}>
        {words.lookAgain}
      </button>
      <button className="button" type="button" onClick={onSignIn}>
        {words.haveAccount}
      </button>
    </EntranceSheet>
  )
}
