import type { AdminUser } from "kit/client"
import { useAppIndex } from "../../kit/descriptions.ts"
import { Person } from "../../parts/person.tsx"
import { useWords } from "../../words/words.ts"
import { isBanned } from "./ban-state.ts"
import { PersonActions } from "./person-actions.tsx"

interface PeopleTableProps {
  readonly users: readonly AdminUser[]
  readonly onRole: (user: AdminUser) => void
  readonly onBan: (user: AdminUser) => void
  readonly onChanged: () => void
}

/** The accounts as rows. The own one has no actions: nobody bans or demotes themselves by a slip. */
export function PeopleTable({ users, onRole, onBan, onChanged }: PeopleTableProps) {
  const words = useWords("people")
  const shell = useWords("shell")
  const own = useAppIndex().user?.id
  const days = new Intl.DateTimeFormat(shell.formats, { dateStyle: "medium" })
  return (
    <table className="people">
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.email}</th>
          <th scope="col">{words.role}</th>
          <th scope="col">{words.created}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              <Person id={user.id} name={user.name} />
              {user.id === own && <span className="people-note">{words.you}</span>}
              <BanSign user={user} />
            </th>
            <td className="people-email">{user.email}</td>
            <td className="people-role">{user.role}</td>
            <td className="people-since">{days.format(user.createdAt)}</td>
            <td className="people-actions">
              {user.id !== own && (
                <PersonActions
                  user={user}
                  onRole={() => onRole(user)}
                  onBan={() => onBan(user)}
                  onChanged={onChanged}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function BanSign({ user }: { readonly user: AdminUser }) {
  const words = useWords("people")
  const shell = useWords("shell")
  if (!isBanned(user)) return null
  const end = user.banExpires && new Intl.DateTimeFormat(shell.formats, { dateStyle: "medium" }).format(user.banExpires)
  return (
    <span className="people-banned" title={user.banReason ?? undefined}>
      {end ? words.bannedUntil(end) : words.banned}
      {user.banReason && <small>{user.banReason}</small>}
    </span>
  )
}
