import type { AdminUser } from "kit/client"
import { client } from "../../kit/client.ts"
import { Dialog } from "../../parts/dialog.tsx"
import { toast } from "../../parts/toast.tsx"
import { useWords } from "../../words/words.ts"
import { TextField } from "../entrance/text-field.tsx"
import { useSubmit } from "../entrance/use-submit.ts"

interface RoleDialogProps {
  readonly user: AdminUser
  readonly roles: readonly string[]
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** Sets the role of a person, which takes effect immediately. */
export function RoleDialog({ user, roles, onClose, onChanged }: RoleDialogProps) {
  const words = useWords("people")
  const shell = useWords("shell")
  const submit = useSubmit(async ({ role = "" }) => {
    await client.auth.admin.setRole({ id: user.id, role })
    toast({ text: words.roleSet(user.name, role) })
    onChanged()
    onClose()
  })
  return (
    <Dialog title={words.setRoleTitle(user.name)} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit.onSubmit}>
        <TextField
          label={words.role}
          name="role"
          autoComplete="off"
          defaultValue={user.role}
          hint={words.roleHint}
          suggestions={roles}
          problem={submit.problem ?? submit.problemOf("role")}
          autoFocus
        />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" className="button primary" aria-disabled={submit.isSending}>
            {words.setRoleAction}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
