import { client } from "../../kit/client.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { TextField } from "./text-field.tsx"
import { useSubmit } from "./use-submit.ts"

interface SignInFormProps {
  /** The address that stands in the form at first. */
  readonly email?: string | undefined
}

/** Signs in with an address and a password. The gate follows the session, and opens the desk. */
export function SignInForm({ email }: SignInFormProps) {
  const words = useEntranceWords()
  const submit = useSubmit(async (texts) => {
    await client.auth.signIn({ email: texts["email"]?.trim() ?? "", password: texts["password"] ?? "" })
  })
  return (
    <form className="stack" onSubmit={submit.onSubmit}>
      <TextField
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        problem={submit.problemOf("email")}
        autoFocus={email === undefined}
      />
      <TextField
        label={words.password}
        name="password"
        type="password"
        autoComplete="current-password"
        problem={submit.problem ?? submit.problemOf("password")}
        autoFocus={email !== undefined}
      />
      <button className="button primary" type="submit" aria-disabled={submit.isSending}>
        {words.signIn}
      </button>
    </form>
  )
}
