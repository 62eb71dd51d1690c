import type { FieldMember, FieldType } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { type PartTree, partPath, partTreeOf } from "../../schema/fields/members/part-tree.ts"
import type { TypeContext } from "./field-types.ts"
import { interfaceText } from "./interface-text.ts"
import { freeName, type TypeNames, typeName } from "./type-names.ts"

const namesBySchema = new WeakMap<TypeNames, ReadonlyMap<ResourceField, string>>()

/** Returns the name of the type that a field with relations in its value has in `with`, such as `PagesBodyParts`. */
export function partsName({ names, resource }: TypeContext, field: ResourceField): string {
  const known = namesBySchema.get(names) ?? nameParts(names)
  namesBySchema.set(names, known)
  return known.get(field) ?? `${typeName(names, resource)}Parts`
}

function nameParts(names: TypeNames): ReadonlyMap<ResourceField, string> {
  const taken = new Set<string>()
  const found = new Map<ResourceField, string>()
  for (const [resource, prefix] of names) {
    for (const field of fieldsWithParts([...resource.fields.values()])) {
      const name = freeName(`${prefix}${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}Parts`, taken)
      taken.add(name)
      found.set(field, name)
    }
  }
  return found
}

export function fieldsWithParts(fields: readonly ResourceField[]): readonly ResourceField[] {
  return fields.filter(({ references }) => references.length > 0)
}

/** Returns the text of the type that the field has in `with`: the names that lead to its relations. */
export function partsText(context: TypeContext, field: ResourceField): string {
  const { reference, parts } = partTreeOf(field)
  const name = partsName(context, field)
  if (reference) return `export type ${name} = ${optionsText(context, reference.target)}`
  const members = [...parts].map(([part, tree]) => ({ name: part, type: treeText(context, tree), isOptional: true }))
  return interfaceText(name, members)
}

function treeText(context: TypeContext, { reference, parts }: PartTree): string {
  if (reference) return optionsText(context, reference.target)
  return inBraces([...parts].map(([name, tree]) => `${name}?: ${treeText(context, tree)}`))
}

function optionsText({ names }: TypeContext, target: Resource): string {
  return `boolean | RelatedOptions<${typeName(names, target)}Types>`
}

/** The relations of one field, whose targets have the types with this suffix. */
interface NamedTargets {
  readonly field: ResourceField
  readonly names: TypeNames
  readonly suffix: string
}

/** Returns the type that says where a field's value has ids, and of which collection's records. */
export function placesText({ names }: TypeContext, field: ResourceField, suffix: string): string {
  const places = placesIn({ field, names, suffix }, field.type, field.name) ?? "never"
  const isMap = suffix !== "Types" && field.localized !== undefined
  return isMap ? inBraces([`locales: ${places}`]) : places
}

// Returns undefined for a type that has no ids in it.
function placesIn(targets: NamedTargets, type: FieldType, path: string): string | undefined {
  const { references = [], blocks, members, element } = type
  if (references.length === 0) return undefined
  if (blocks) {
    const ofBlocks = [...blocks.values()].map(({ name, members: inner }) => ({
      name,
      places: membersText(targets, inner, `${path}.${name}`),
    }))
    return inBraces([`blocks: ${namedText(ofBlocks)}`])
  }
  if (members) return inBraces([`members: ${membersText(targets, members, path) ?? "{}"}`])
  if (element) return inBraces([`items: ${placesIn(targets, element, path) ?? "never"}`])
  const { field, names, suffix } = targets
  const linked = field.references.find((reference) => partPath(field.name, reference) === path)
  return linked && `${typeName(names, linked.target)}${suffix}`
}

function membersText(targets: NamedTargets, members: readonly FieldMember[], path: string): string | undefined {
  const found = members.map(({ name, type }) => ({ name, places: placesIn(targets, type, `${path}.${name}`) }))
  return found.some(({ places }) => places) ? namedText(found) : undefined
}

function namedText(named: readonly { readonly name: string; readonly places: string | undefined }[]): string {
  return inBraces(named.flatMap(({ name, places }) => (places ? [`${name}: ${places}`] : [])))
}

function inBraces(members: readonly string[]): string {
  return `{ ${members.join("; ")} }`
}
