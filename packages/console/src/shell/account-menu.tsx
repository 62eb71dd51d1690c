import { useAppIndex } from "../kit/descriptions.ts"
import { initialsOf } from "../parts/initials.ts"

/** Who has signed in. */
export function AccountMenu() {
  const { user } = useAppIndex()
  if (user === null) return null
  const name = user.name ?? user.id
  return (
    <div className="account">
      <span className="initials" aria-hidden>
        {initialsOf(name)}
      </span>
      <span>
        {name}
        {user.role && <small>{user.role}</small>}
      </span>
    </div>
  )
}
