import { useState } from "react"
import { client } from "../../kit/client.ts"
import { confirm } from "../../parts/dialog.tsx"
import { toast } from "../../parts/toast.tsx"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { useWords } from "../../words/words.ts"
import { FormProblem } from "../entrance/form-problem.tsx"
import { problemText } from "../entrance/problem-text.ts"

/** Ends all sessions of the person but this one. */
export function SignOutElsewhere() {
  const words = useWords("account")
  const { problems } = useEntranceWords()
  const [problem, setProblem] = useState<string>()
  async function ask() {
    setProblem(undefined)
    const isConfirmed = await confirm({
      title: words.signOutElsewhereQuestion,
      text: words.signOutElsewhereText,
      action: words.signOutElsewhere,
    })
    if (!isConfirmed) return
    try {
      await client.auth.signOutElsewhere()
      toast({ text: words.signedOutElsewhere })
    } catch (error) {
      setProblem(problemText(error, problems))
    }
  }
  return (
    <div className="stack">
      <FormProblem text={problem} />
      <div>
        <button type="button" className="button" onClick={() => void ask()}>
          {words.signOutElsewhere}
        </button>
      </div>
    </div>
  )
}
