import type { PartSchema } from "kit/client"
import type { Path } from "../../form/path.ts"
import type { ResourceSchema } from "../../kit/descriptions.ts"

/** A relation as its editor needs it, whether it is a field or a part of a field's value. */
export interface Relation {
  readonly kind: "one" | "children" | "links"
  /** The related collection, or null if the person may not know it. */
  readonly target: string | null
  /** The field of the related collection that represents a record, if the person may read it. */
  readonly titleField: string | null
  /** The field of the children that refers to the record. */
  readonly via: string | null
  readonly isOrdered: boolean
}

const KINDS = { belongsTo: "one", hasMany: "children", manyToMany: "links" } as const

/** Returns the relation of a value, or null if the person may know nothing about it. */
export function relationOf(resource: ResourceSchema, part: PartSchema, path: Path): Relation | null {
  const field = path.length === 1 ? resource.relations[path[0]] : undefined
  if (field) {
    const { type, targetCollection, titleField, via, ordered = false } = field
    return { kind: KINDS[type], target: targetCollection, titleField, via, isOrdered: ordered }
  }
  if (part.relation === undefined) return null
  const { targetCollection, titleField } = part.relation
  return { kind: "one", target: targetCollection, titleField, via: null, isOrdered: false }
}
