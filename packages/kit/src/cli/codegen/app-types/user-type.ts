import type { AppSchema, Resource } from "../../../schema/compile/resource.ts"
import { sessionFields } from "../../../schema/compile/session-fields.ts"
import { outputType, type TypeContext } from "../field-types.ts"
import { interfaceText } from "../interface-text.ts"

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
