import { useId, useState } from "react"
import { client } from "../../kit/client.ts"
import { Dialog } from "../../parts/dialog.tsx"
import { toast } from "../../parts/toast.tsx"
import { useWords } from "../../words/words.ts"
import { FormProblem } from "../entrance/form-problem.tsx"
import { TextField } from "../entrance/text-field.tsx"
import { useSubmit } from "../entrance/use-submit.ts"

// Without letters and digits that look like others. Their number divides 256, so that all are equally likely.
const CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789"
const GROUPS = 4
const GROUP_LENGTH = 4

interface CreatePersonProps {
  readonly roles: readonly string[]
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** Creates an account with a first password, which the administrator hands over. */
export function CreatePerson({ roles, onClose, onChanged }: CreatePersonProps) {
  const words = useWords("people")
  const shell = useWords("shell")
  const submit = useSubmit(async ({ name = "", email = "", password = "", role = "" }) => {
    await client.auth.admin.create({ name, email, password, role })
    toast({ text: words.created1(name) })
    onChanged()
    onClose()
  })
  return (
    <Dialog title={words.create} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit.onSubmit} autoComplete="off">
        <TextField label={words.name} name="name" autoComplete="off" problem={submit.problemOf("name")} autoFocus />
        <TextField
          label={words.email}
          name="email"
          type="email"
          autoComplete="off"
          problem={submit.problemOf("email") ?? (submit.reason === TAKEN ? submit.problem : undefined)}
        />
        <TextField
          label={words.role}
          name="role"
          autoComplete="off"
          defaultValue="user"
          hint={words.roleHint}
          suggestions={roles}
          problem={submit.problemOf("role")}
        />
        <FirstPassword problem={submit.problemOf("password")} />
        <FormProblem text={submit.reason === TAKEN ? undefined : submit.problem} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" className="button primary" aria-disabled={submit.isSending}>
            {words.createAction}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const TAKEN = "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"

/** The password is readable here: it is handed over, and never shown again. */
function FirstPassword({ problem }: { readonly problem: string | undefined }) {
  const words = useWords("people")
  const [password, setPassword] = useState("")
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{words.password}</label>
      <div className="input-and-button">
        <input
          className="input"
          id={id}
          name="password"
          required
          autoComplete="off"
          spellCheck={false}
          value={password}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <button type="button" className="button" onClick={() => setPassword(madeUpPassword())}>
          {words.makePassword}
        </button>
      </div>
      <span className={problem ? "problem" : "hint"} id={`${id}-note`} role={problem && "alert"}>
        {problem ?? words.passwordHint}
      </span>
    </div>
  )
}

/** Returns a random password that can be read out, such as `k3vq-…`: 80 bits. */
function madeUpPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH))
  const letters = Array.from(bytes, (byte) => CHARACTERS[byte % CHARACTERS.length]).join("")
  return Array.from({ length: GROUPS }, (_group, place) =>
    letters.slice(place * GROUP_LENGTH, (place + 1) * GROUP_LENGTH),
  ).join("-")
}
