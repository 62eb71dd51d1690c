import type { Resource } from "../../schema/compile/resource.ts"
import { activeRows, isAlways, type Predicate } from "../../sql/filter/predicate.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { quote } from "../../sql/text/fragment.ts"
import { resourceKey } from "../live/named-tables.ts"

/**
 * The keys of the resources that the statement of the selection reads for nothing but to show those of their records that
 * others point to, whoever asks. Which records are answered, and in which order, does not depend on them.
 */
export function onlyShownResources(selection: Selection, text: string): ReadonlySet<string> {
  const times = new Map<Resource, number>()
  for (const target of shownTargets(selection)) times.set(target, (times.get(target) ?? 0) + 1)
  const found = [...times].filter(([target, count]) => timesNamed(target, text) === count)
  return new Set(found.map(([target]) => resourceKey(target)))
}

function shownTargets({ relations }: Selection): readonly Resource[] {
  return relations.flatMap(({ selection, predicate, many }) => {
    const isShown = many === undefined && isOpen(selection.resource, predicate)
    return isShown ? [selection.resource, ...shownTargets(selection)] : shownTargets(selection)
  })
}

// A record that is hidden now may be shown after its change, and then its id is not in the answer before.
function isOpen(resource: Resource, predicate: Predicate): boolean {
  return resource.working === undefined && (isAlways(predicate) || predicate === activeRows(resource))
}

function timesNamed({ table }: Resource, text: string): number {
  return text.split(`${quote(table)} `).length - 1
}
