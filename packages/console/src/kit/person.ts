import { createContext, useContext } from "react"

/** The person who has signed in. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string | undefined
  readonly role: string | undefined
}

/** The person at the desk, also while their session has ended and the desk waits for them. */
export const PersonContext = createContext<Person | null>(null)

export function usePerson(): Person {
  const person = useContext(PersonContext)
  if (person === null) throw new Error("usePerson is called outside of the desk.")
  return person
}

/** A user as a session, or the index of the app, has it. */
export interface AnyUser {
  readonly id: string
  readonly [field: string]: unknown
}

const known = new WeakMap<AnyUser, Person>()

/** Returns the person who a user is, the same object for the same user. An app may give its users no name and no role. */
export function personOf(user: AnyUser | null | undefined): Person | undefined {
  if (!user) return undefined
  const person = known.get(user) ?? read(user)
  known.set(user, person)
  return person
}

function read(user: AnyUser): Person {
  const [name, email, role] = [user["name"], user["email"], user["role"]].map((value) =>
    typeof value === "string" && value !== "" ? value : undefined,
  )
  return { id: user.id, name: name ?? email ?? user.id, email, role }
}
