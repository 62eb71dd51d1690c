import type { Link, Relation, Resource } from "../../schema/compile/resource.ts"
import { type ApiError, invalid } from "../../wire/errors/api-error.ts"

/** The stage that a relation names in `with`: its target in that stage, or the reason why the caller may not name it. */
export type RelationStage =
  | {
      readonly kind: "target"
      readonly target: Resource
      /** The links between the two stages. Undefined if they are those of the relation without a named stage. */
      readonly link: Link | undefined
    }
  | { readonly kind: "refused"; readonly error: ApiError }

/** The stages that relations of a read name, by the object in which a relation has its options. */
export type RelationStages = ReadonlyMap<object, RelationStage>

interface RelationOptions {
  readonly options: Readonly<Record<string, unknown>>
  readonly path: string
}

/** Returns the relation as it leads to the stage that its options name. Throws if they may not name it. */
export function relationInStage(
  relation: Relation,
  { options, path }: RelationOptions,
  relationStages: RelationStages | undefined,
): Relation {
  if (options["stage"] === undefined) return relation
  const named = relationStages?.get(options)
  if (named === undefined) throw invalid(`${path}.stage`, "There are no stages here.")
  if (named.kind === "refused") throw named.error
  const { target, link } = named
  switch (relation.kind) {
    case "belongsTo":
      return { ...relation, target }
    case "hasMany":
      return { ...relation, target, via: target.fields.get(relation.via.name) ?? relation.via }
    case "manyToMany":
      return { ...relation, target, link: link ?? relation.link }
    default:
      return relation satisfies never
  }
}
