import { KitClientError } from "kit/client"
import { useEffect } from "react"
import { client } from "../../kit/client.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { EntranceSheet } from "./entrance-sheet.tsx"
import { FormProblem } from "./form-problem.tsx"
import { TextField } from "./text-field.tsx"
import { useSubmit } from "./use-submit.ts"

interface SetUpProps {
  /** The token of the link that led here. */
  readonly token: string
  /** Called when the first account has been created and has signed in. */
  readonly onDone: () => void
  /** Called when there is an administrator already, so that only the sign-in is left. */
  readonly onClosed: () => void
}

/** Creates the first account, which is signed in afterwards. */
export function SetUp({ token, onDone, onClosed }: SetUpProps) {
  const words = useEntranceWords()
  const submit = useSubmit(async ({ name = "", email = "", password = "" }) => {
    await client.auth.setUp({ token, name, email, password })
    onDone()
  })
  const isClosed =
    submit.error instanceof KitClientError && submit.error.isCode("CONFLICT") && !submit.error.fieldErrors
  useEffect(() => {
    if (isClosed) onClosed()
  }, [isClosed, onClosed])
  const isWrongToken = submit.error instanceof KitClientError && submit.error.isCode("FORBIDDEN")
  return (
    <EntranceSheet title={words.setUp}>
      <p>{words.setUpHint}</p>
      <form className="stack" onSubmit={submit.onSubmit}>
        <TextField label={words.name} name="name" autoComplete="name" problem={submit.problemOf("name")} autoFocus />
        <TextField
          label={words.email}
          name="email"
          type="email"
          autoComplete="username"
          problem={submit.problemOf("email")}
        />
        <TextField
          label={words.password}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={words.passwordHint}
          problem={submit.problemOf("password")}
        />
        <FormProblem text={isWrongToken ? words.setUpWrongToken : submit.problem} />
        <button className="button primary" type="submit" aria-disabled={submit.isSending}>
          {words.createAccount}
        </button>
      </form>
      <p className="label">{words.setUpOnce}</p>
    </EntranceSheet>
  )
}
