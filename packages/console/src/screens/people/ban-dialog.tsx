import type { AdminUser } from "kit/client"
import { useState } from "react"
import { client } from "../../kit/client.ts"
import { Dialog } from "../../parts/dialog.tsx"
import { toast } from "../../parts/toast.tsx"
import { useWords } from "../../words/words.ts"
import { OneOf } from "../account/one-of.tsx"
import { FormProblem } from "../entrance/form-problem.tsx"
import { TextField } from "../entrance/text-field.tsx"
import { useSubmit } from "../entrance/use-submit.ts"

const DAY_SECONDS = 24 * 60 * 60
const SECONDS = { forever: undefined, day: DAY_SECONDS, week: 7 * DAY_SECONDS, month: 30 * DAY_SECONDS }
type Length = keyof typeof SECONDS

interface BanDialogProps {
  readonly user: AdminUser
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** Asks before a person is banned, with a reason and an end. */
export function BanDialog({ user, onClose, onChanged }: BanDialogProps) {
  const words = useWords("people")
  const shell = useWords("shell")
  const [length, setLength] = useState<Length>("forever")
  const submit = useSubmit(async ({ reason = "" }) => {
    const seconds = SECONDS[length]
    await client.auth.admin.ban({
      id: user.id,
      ...(reason.trim() !== "" && { reason: reason.trim() }),
      ...(seconds !== undefined && { expiresInSeconds: seconds }),
    })
    toast({ text: words.isBanned(user.name) })
    onChanged()
    onClose()
  })
  const lengths = { forever: words.banForever, day: words.banDay, week: words.banWeek, month: words.banMonth }
  return (
    <Dialog title={words.banTitle(user.name)} isOpen onClose={onClose} role="alertdialog">
      <p>{words.banText}</p>
      <form className="stack" onSubmit={submit.onSubmit}>
        <TextField
          label={words.banReason}
          name="reason"
          autoComplete="off"
          hint={words.banReasonHint}
          problem={submit.problemOf("banReason")}
          isOptional
          autoFocus
        />
        <OneOf
          label={words.banEnd}
          // The cast is safe: the keys are those of SECONDS.
          choices={(Object.keys(SECONDS) as Length[]).map((value) => ({ value, label: lengths[value] }))}
          value={length}
          onChange={setLength}
        />
        <FormProblem text={submit.problem} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" className="button danger" aria-disabled={submit.isSending}>
            {words.ban}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
