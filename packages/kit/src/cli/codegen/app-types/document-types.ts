import type { AppSchema, Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { interfaceText, type Member, membersText } from "../interface-text.ts"

/** The name of the interface that has the collaborative fields of each collection and global. */
export const DOCUMENT_TYPES = "AppDocuments"

/** True if a collection or global of the app has a collaborative field. */
export function hasDocuments({ resources }: AppSchema): boolean {
  return resources.some((resource) => collaborativeFields(resource).length > 0)
}

/**
 * Returns the interface of the app's collaborative fields; none if there are no such fields. A field has the type of the
 * locales in which it has documents, and `never` if it is not localized.
 */
export function documentTypes(schema: AppSchema): string[] {
  if (!hasDocuments(schema)) return []
  const { collections, globals } = schema
  return [
    interfaceText(DOCUMENT_TYPES, [
      { name: "collections", type: fieldsByResource(collections) },
      { name: "globals", type: fieldsByResource(globals) },
    ]),
  ]
}

function fieldsByResource(resources: ReadonlyMap<string, Resource>): string {
  const members = [...resources.values()].flatMap((resource): Member[] => {
    const fields = collaborativeFields(resource).map(
      ({ name, localized }) => `${name}: ${localized ? "AppLocale" : "never"}`,
    )
    return fields.length === 0 ? [] : [{ name: resource.name, type: `{ ${fields.join("; ")} }` }]
  })
  return membersText(members, "  ")
}

function collaborativeFields({ fields }: Resource): ResourceField[] {
  return [...fields.values()].filter(({ collaborative }) => collaborative !== undefined)
}
