import { client } from "../../kit/client.ts"
import { usePerson } from "../../kit/person.ts"
import { toast } from "../../parts/toast.tsx"
import { useWords } from "../../words/words.ts"
import { TextField } from "../entrance/text-field.tsx"
import { useSubmit } from "../entrance/use-submit.ts"

/** Changes the password of the person, which ends all other sessions. */
export function PasswordForm() {
  const words = useWords("account")
  const person = usePerson()
  const submit = useSubmit(async ({ currentPassword = "", newPassword = "" }, form) => {
    await client.auth.changePassword({ currentPassword, newPassword })
    form.reset()
    toast({ text: words.passwordChanged })
  })
  const isCurrentWrong = submit.reason === "INVALID_PASSWORD"
  return (
    <form className="stack" onSubmit={submit.onSubmit}>
      {/* Password managers learn from it to which account the new password belongs. */}
      <input type="hidden" name="username" autoComplete="username" value={person.email ?? ""} />
      <TextField
        label={words.currentPassword}
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        problem={isCurrentWrong ? submit.problem : undefined}
      />
      <TextField
        label={words.newPassword}
        name="newPassword"
        type="password"
        autoComplete="new-password"
        hint={words.passwordHint}
        problem={(isCurrentWrong ? undefined : submit.problem) ?? submit.problemOf("newPassword")}
      />
      <div>
        <button className="button" type="submit" aria-disabled={submit.isSending}>
          {words.changePassword}
        </button>
      </div>
    </form>
  )
}
