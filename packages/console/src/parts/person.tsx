import { initialsOf } from "./initials.ts"
import { tintOf } from "./tint.ts"

interface PersonProps {
  readonly id: string
  readonly name: string
}

/** A person: two letters in a tint of their own, and the name. */
export function Person({ id, name }: PersonProps) {
  return (
    <span className="person">
      <span className="initials" aria-hidden style={tintOf(id)}>
        {initialsOf(name)}
      </span>
      <span className="cut">{name}</span>
    </span>
  )
}
