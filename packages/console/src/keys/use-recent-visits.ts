import { useEffect } from "react"
import { useRoute } from "wouter"
import { usePerson } from "../kit/person.ts"
import { keepRecent } from "../palette/recent-records.ts"
import { ROUTES } from "../routes.ts"

/** Keeps which records the person opens, for the palette. */
export function useRecentVisits(): void {
  const { id: person } = usePerson()
  const [, params] = useRoute(ROUTES.record)
  const { collection, id } = params ?? {}
  useEffect(() => {
    if (collection !== undefined && id !== undefined && id !== NEW) keepRecent(person, { collection, id })
  }, [person, collection, id])
}

// The address of a record that does not exist yet has this in the place of the id.
const NEW = ROUTES.newRecord.split("/").at(-1)
