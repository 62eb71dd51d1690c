import { Field } from "../builders/field.ts"
import type { FieldType } from "../compile/field-type.ts"
import type { FieldReference } from "../compile/resource.ts"
import type { Mistake, ResourceDraft } from "../compile/resource-draft.ts"
import { namesTo } from "../fields/members/part-tree.ts"
import { idType } from "../fields/relation.ts"
import { findTargetMistake } from "./target-mistake.ts"

/** Sets the targets of the parts of fields that refer to records. Returns the mistakes in such parts. */
export function linkPartReferences(
  drafts: readonly ResourceDraft[],
  targets: ReadonlyMap<string, ResourceDraft>,
): Mistake[] {
  const idTypeOf = (collection: string) => targets.get(collection)?.resource.id.type ?? idType
  return drafts.flatMap((draft) =>
    [...draft.fields.values()].flatMap((field) => {
      const declared = draft.source.definition.fields[field.name]
      if (!(declared instanceof Field) || !field.isStored || field.type.references === undefined) return []
      field.type = Object.freeze(declared.compile(idTypeOf))
      const linked = linkedReferences(field.type, targets)
      field.references = linked.references
      const { file } = draft.source
      return linked.mistakes.map((mistake) => ({
        ...mistake,
        file,
        message: `field "${field.name}" ${mistake.message}`,
      }))
    }),
  )
}

function linkedReferences({ references = [] }: FieldType, targets: ReadonlyMap<string, ResourceDraft>) {
  const linked: FieldReference[] = []
  const mistakes: { readonly message: string; readonly missing?: string }[] = []
  for (const reference of references) {
    const mistake = findTargetMistake(reference, targets)
    const target = targets.get(reference.target)?.resource
    if (mistake)
      mistakes.push({ ...mistake, message: `has a part "${namesTo(reference).join(".")}" that ${mistake.message}` })
    else if (target) linked.push(Object.freeze({ ...reference, target }))
  }
  return { references: Object.freeze(linked), mistakes }
}
