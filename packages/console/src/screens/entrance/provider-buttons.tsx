import { useState } from "react"
import { boot } from "../../kit/boot.ts"
import { client } from "../../kit/client.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { FormProblem } from "./form-problem.tsx"
import { problemText } from "./problem-text.ts"

/** Signs in with another service, which sends the browser back to this address. */
export function ProviderButtons() {
  const words = useEntranceWords()
  const [problem, setProblem] = useState<string>()
  async function leaveFor(provider: string) {
    setProblem(undefined)
    try {
      await client.auth.signInWith(provider, { redirectTo: location.href })
    } catch (error) {
      setProblem(problemText(error, words.problems))
    }
  }
  if (boot.providers.length === 0) return null
  return (
    <>
      <div className="between">{words.or}</div>
      {boot.providers.map(({ id, name }) => (
        <button key={id} className="button" type="button" onClick={() => void leaveFor(id)}>
          {words.continueWith(name)}
        </button>
      ))}
      <FormProblem text={problem} />
    </>
  )
}
