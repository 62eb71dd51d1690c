import { useAppIndex } from "../../../kit/descriptions.ts"
import { usePerson } from "../../../kit/person.ts"
import { useFindTitle } from "../../../kit/titles.ts"

// The collection of the people who sign in has this name in every app.
const PEOPLE = "users"

/** Returns a function that finds the name of a person by the id: undefined if the reader may not know it. */
export function usePeopleNames(): (id: string) => string | undefined {
  const { resources } = useAppIndex()
  const me = usePerson()
  const findTitle = useFindTitle()
  const people = resources.find(({ name, kind }) => kind === "collection" && name === PEOPLE)
  const titleField = people?.access.read === false ? null : people?.title
  return (id) => {
    if (id === me.id) return me.name
    const name = titleField ? findTitle({ collection: PEOPLE, titleField, id }) : undefined
    // Without a title that may be read, the id stands in its place.
    return name === id ? undefined : name
  }
}
