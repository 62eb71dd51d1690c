import type { Resource } from "../../schema/compile/resource.ts"
import { activeRows, isAlways, type Predicate } from "../../sql/filter/predicate.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { quote } from "../../sql/text/fragment.ts"
import { resourceKey } from "../live/named-tables.ts"

/**
 * Returns the keys of the resources that the SQL statement reads only to hydrate to-one relations that no row rule
 * restricts. A change to such a resource can alter hydrated records, but neither which other records are in the result
 * nor their order.
 */
export function hydrateOnlyResources(selection: Selection, text: string): ReadonlySet<string> {
  const times = new Map<Resource, number>()
  for (const target of hydratedTargets(selection)) times.set(target, (times.get(target) ?? 0) + 1)
  const found = [...times].filter(([target, count]) => timesNamed(target, text) === count)
  return new Set(found.map(([target]) => resourceKey(target)))
}

function hydratedTargets({ relations }: Selection): readonly Resource[] {
  return relations.flatMap(({ selection, predicate, toMany }) => {
    const isShown = toMany === undefined && isUnrestricted(selection.resource, predicate)
    return isShown ? [selection.resource, ...hydratedTargets(selection)] : hydratedTargets(selection)
  })
}

// True if no row rule restricts the related records. With a row rule, a change could make a hidden record visible. The
// id of that record is not in the result yet, so a search of the result for the id would not find it.
function isUnrestricted(resource: Resource, predicate: Predicate): boolean {
  return resource.working === undefined && (isAlways(predicate) || predicate === activeRows(resource))
}

function timesNamed({ table }: Resource, text: string): number {
  return text.split(`${quote(table)} `).length - 1
}
