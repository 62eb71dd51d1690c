import { useState } from "react"
import { boot } from "../../kit/boot.ts"
import type { Person } from "../../kit/person.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { EntranceSheet } from "./entrance-sheet.tsx"
import { FormProblem } from "./form-problem.tsx"
import { problemText } from "./problem-text.ts"

export interface KeptOutProps {
  readonly person: Person
  readonly onSignOut: () => Promise<void>
}

/** Says to somebody whom the rule `console.access` does not let in who they are, and what to do. */
export function KeptOut({ person: { name, email }, onSignOut }: KeptOutProps) {
  const words = useEntranceWords()
  const [problem, setProblem] = useState<string>()
  const leave = () => onSignOut().catch((error: unknown) => setProblem(problemText(error, words.problems)))
  return (
    <EntranceSheet title={words.keptOut}>
      <p>{words.keptOutHint(boot.brand.name)}</p>
      <p>
        {words.signedInAs} <b>{name}</b>
        {email && email !== name && (
          <>
            <br />
            {email}
          </>
        )}
      </p>
      <FormProblem text={problem} />
      <button className="button primary" type="button" onClick={() => void leave()}>
        {words.signOut}
      </button>
    </EntranceSheet>
  )
}
