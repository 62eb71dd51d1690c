import type { AdminUser } from "kit/client"
import { client } from "../../kit/client.ts"
import { Menu } from "../../parts/menu.tsx"
import { toast } from "../../parts/toast.tsx"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { useWords } from "../../words/words.ts"
import { problemText } from "../entrance/problem-text.ts"
import { isBanned } from "./ban-state.ts"

interface PersonActionsProps {
  readonly user: AdminUser
  readonly onRole: () => void
  readonly onBan: () => void
  readonly onChanged: () => void
}

/** The actions of an administrator on the account of somebody else. */
export function PersonActions({ user, onRole, onBan, onChanged }: PersonActionsProps) {
  const words = useWords("people")
  const { problems } = useEntranceWords()
  async function unban() {
    try {
      await client.auth.admin.unban({ id: user.id })
      toast({ text: words.unbanned(user.name) })
      onChanged()
    } catch (error) {
      toast({ text: problemText(error, problems) })
    }
  }
  const ban = isBanned(user)
    ? ({ id: "unban", label: words.unban } as const)
    : ({ id: "ban", label: words.ban, isDanger: true } as const)
  const run = { role: onRole, ban: onBan, unban: () => void unban() }
  return (
    <Menu
      label={words.actions(user.name)}
      items={[{ id: "role", label: words.setRole }, ban]}
      onAction={(action) => run[action]()}
    />
  )
}
