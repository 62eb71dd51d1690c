import type { FieldMember, FieldType, PartReference, PartStep } from "../../compile/field-type.ts"

/** Returns the references of an object with these members; nothing if there are none. */
export function referencesOfMembers(members: readonly FieldMember[]): Pick<FieldType, "references"> {
  return asReferences(members.flatMap(({ name, type }) => referencesAt({ kind: "member", name }, type)))
}

/** Returns the references of a list of such items; nothing if there are none. */
export function referencesOfItems(item: FieldType): Pick<FieldType, "references"> {
  return asReferences(referencesAt({ kind: "items", block: undefined }, item))
}

/** Returns the references of a list of these blocks; nothing if there are none. */
export function referencesOfBlocks(blocks: ReadonlyMap<string, readonly FieldMember[]>): Pick<FieldType, "references"> {
  const found = [...blocks].flatMap(([block, members]) =>
    referencesAt({ kind: "items", block }, referencesOfMembers(members)),
  )
  return asReferences(found)
}

function asReferences(references: readonly PartReference[]): Pick<FieldType, "references"> {
  return references.length === 0 ? {} : { references: Object.freeze(references) }
}

function referencesAt(step: PartStep, { references = [] }: Pick<FieldType, "references">): readonly PartReference[] {
  return references.map((reference) => ({ ...reference, steps: [step, ...reference.steps] }))
}
