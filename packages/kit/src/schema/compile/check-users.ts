import type { ResourceDefinition } from "../builders/definition.ts"
import { Field } from "../builders/field.ts"
import { IDENTITY_FIELD_NAMES } from "../builders/users.ts"

/** Returns the mistakes in the definition of the users collection, as sentences for the author. */
export function checkUsers({ identity, options }: ResourceDefinition): readonly string[] {
  if (identity === undefined) return []
  const authored = Object.entries(identity.authorFields).filter(([, field]) => field instanceof Field)
  const refused = ["timestamps", "softDelete", "versions", "workflow", "id"].filter((name) => name in options)
  return [
    ...authored.flatMap(([name, field]) => checkAuthored(name, field)),
    ...refused.map((name) => `users cannot have the option "${name}". Remove it.`),
  ]
}

function checkAuthored(name: string, { traits }: Field): string[] {
  if (traits.localized) return [`field "${name}" of users cannot be localized. Keep it in a collection of your own.`]
  if (IDENTITY_FIELD_NAMES.includes(name)) return [`field "${name}" is one that every user has. Remove it.`]
  if (!traits.required || traits.default !== undefined) return []
  return [`field "${name}" is required, so nobody could sign up. Give it a .default(…), or leave out .required().`]
}
