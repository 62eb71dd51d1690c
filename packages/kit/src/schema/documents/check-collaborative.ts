import type { ResourceDefinition } from "../builders/definition.ts"
import type { Field } from "../builders/field.ts"
import { TextField } from "../fields/text.ts"
import { isCollaborative } from "./collaborative-field.ts"

/** Returns the mistakes in the declaration of a collaborative field, as sentences for the author. */
export function checkCollaborative(field: Field): readonly string[] {
  if (!field.traits.collaborative) return []
  return [...checkTraits(field), ...checkRights(field), ...checkText(field)]
}

/** Returns the mistake of a resource whose collaborative fields need the revision that its options turn off. */
export function checkCollaborativeOptions({ fields, options }: ResourceDefinition): readonly string[] {
  const name = Object.keys(fields).find((key) => isCollaborative(fields[key]))
  if (name === undefined || options.revision !== false) return []
  return [
    `the field "${name}" is collaborative, and its records have a revision therefore. Remove the option "revision".`,
  ]
}

function checkTraits({ traits: { unique, hidden, readOnly } }: Field): string[] {
  const reasons = [
    [unique, "unique", "the text of one record would depend on what is typed in another one"],
    [hidden, "hidden", "nobody could open its document"],
    [readOnly, "readOnly", "nobody could edit its document"],
  ] as const
  return reasons.flatMap(([isSaid, modifier, reason]) => (isSaid ? [conflict(modifier, reason)] : []))
}

function checkRights({ traits: { access } }: Field): string[] {
  const denied = (["read", "update"] as const).filter((operation) => access?.[operation] === false)
  return denied.map(
    (operation) =>
      `is collaborative, but its ${operation} rule is false, so nobody could edit its document. Change the rule, or remove .collaborative().`,
  )
}

// These would change the text while somebody types: a space between two words would be removed before the second word.
function checkText(field: Field): string[] {
  if (!(field instanceof TextField)) return []
  const { trim, lowercase } = field.rules
  const changes = Object.entries({ trim, lowercase }).filter(([, isSaid]) => isSaid)
  return changes.map(([modifier]) => conflict(modifier, "it would change the text while somebody types it"))
}

function conflict(modifier: string, reason: string): string {
  return `is collaborative and cannot have .${modifier}(), because ${reason}. Remove one of them.`
}
