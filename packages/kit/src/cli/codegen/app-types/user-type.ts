import type { AppSchema, Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { profileFields, sessionFields, signUpFields } from "../../../schema/compile/session-fields.ts"
import { inputType, nullableInLocale, outputType, type TypeContext } from "../field-types.ts"
import { interfaceText, type Member, membersText } from "../interface-text.ts"

/** Returns the users collection; undefined for an app without identity. */
export function identityOf({ collections }: AppSchema): Resource | undefined {
  return [...collections.values()].find(({ isIdentity }) => isIdentity)
}

/** Returns the type of a session's user, for rules and hooks; empty for an app without identity. */
export function userTypes(schema: AppSchema, context: Omit<TypeContext, "resource">): readonly string[] {
  const resource = identityOf(schema)
  if (resource === undefined) return []
  const members = sessionFields(resource).map((field) => ({
    name: field.name,
    type: outputType({ ...context, resource }, field),
  }))
  return [interfaceText("AppUser", members)]
}

/**
 * Returns the member of `AppConfig` with the types of users: the user of a session, and the author's fields that users
 * write themselves. Empty for an app without identity.
 */
export function authTypes(schema: AppSchema, context: Omit<TypeContext, "resource">): Member[] {
  const resource = identityOf(schema)
  if (resource === undefined) return []
  const inputs = (fields: readonly ResourceField[], type: (field: ResourceField) => string) =>
    membersText(
      fields.map((field) => ({ name: field.name, type: type(field), isOptional: true })),
      "    ",
    )
  const typeOf = (field: ResourceField) => inputType({ ...context, resource }, field)
  const members = [
    { name: "user", type: "AppUser" },
    { name: "signUp", type: inputs(signUpFields(resource), typeOf) },
    { name: "update", type: inputs(profileFields(resource), (field) => nullableInLocale(field, typeOf(field))) },
  ]
  return [{ name: "auth", type: membersText(members, "  ") }]
}
