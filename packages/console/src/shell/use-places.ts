import type { ResourceSummary } from "kit/client"
import { useMemo } from "react"
import { useAppIndex } from "../kit/descriptions.ts"
import { mayAdminister } from "../kit/may-administer.ts"
import { ROUTES } from "../routes.ts"
import { useWords } from "../words/words.ts"
import { placeGroups, placePath } from "./places.ts"

/** A screen that a person can go to without a record. */
interface AnyPlace {
  readonly path: string
  readonly label: string
  readonly name: string
  /** The collection or global; null for people and the account. */
  readonly resource: ResourceSummary | null
}

/** Returns all places of the console, in the order of the sidebar. */
export function usePlaces(): readonly AnyPlace[] {
  const index = useAppIndex()
  const { people, account } = useWords("shell")
  return useMemo(() => {
    const resources = placeGroups(index).flatMap((group) => group.places)
    const own = resources.map((resource) => ({
      path: placePath(resource),
      label: resource.label,
      name: resource.name,
      resource,
    }))
    return [
      ...own,
      ...(mayAdminister(index) ? [{ path: ROUTES.people, label: people, name: "people", resource: null }] : []),
      { path: ROUTES.account, label: account, name: "account", resource: null },
    ]
  }, [index, people, account])
}
