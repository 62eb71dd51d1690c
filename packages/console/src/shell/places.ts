import type { AppIndex, ResourceSummary } from "kit/client"
import { globalPath, listPath } from "../routes.ts"

/** The places of the sidebar that have the same group. The places without a group come first, without a name. */
interface PlaceGroup {
  readonly name: string | null
  readonly places: readonly ResourceSummary[]
}

/** Groups the collections and globals of the app, in the order in which the app names them. */
export function placeGroups({ resources }: AppIndex): PlaceGroup[] {
  const groups = new Map<string | null, ResourceSummary[]>([[null, []]])
  for (const resource of resources) {
    const places = groups.get(resource.group) ?? []
    groups.set(resource.group, [...places, resource])
  }
  return [...groups].map(([name, places]) => ({ name, places })).filter(({ places }) => places.length > 0)
}

/** Returns the address of a collection's list, or of a global. */
export function placePath({ kind, name }: ResourceSummary): string {
  return kind === "collection" ? listPath(name) : globalPath(name)
}

/** Returns whether an address is that of the place, or of a record in it. */
export function isAt(place: ResourceSummary, location: string): boolean {
  const path = placePath(place)
  return location === path || location.startsWith(`${path}/`)
}
