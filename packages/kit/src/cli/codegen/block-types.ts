import type { BlockType, FieldMember, FieldType } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { plainFilterType } from "./filter-types.ts"
import { interfaceText, type Member } from "./interface-text.ts"
import { freeName, type TypeNames, typeName } from "./type-names.ts"

/** The names of the types that are generated for a list of blocks. */
export interface BlockNames {
  /** The type of an item, such as `PagesBodyBlock`. */
  readonly item: string
  /** The type of the items of each block, such as `PagesBodyHeroBlock`, by the name of the block. */
  readonly blocks: ReadonlyMap<string, string>
  /** The prefix of the name of a filter on items of any block, such as `PagesBodyAnyBlock`. */
  readonly any: string
  /** The names for the lists of blocks within a block, by the names of the block and of its member. */
  readonly nested: ReadonlyMap<string, ReadonlyMap<string, BlockNames>>
}

type NamesByField = ReadonlyMap<string, BlockNames>

const namesBySchema = new WeakMap<TypeNames, ReadonlyMap<Resource, NamesByField>>()

/**
 * Returns the names of the generated types of a list of blocks; undefined for other fields, and for hidden ones, whose
 * types are written in place, so that a client does not see them. `names` are those for callers.
 */
export function blockNamesOf(names: TypeNames, resource: Resource, { name }: ResourceField): BlockNames | undefined {
  return blockNames(names).get(resource)?.get(name)
}

function blockNames(names: TypeNames): ReadonlyMap<Resource, NamesByField> {
  const known = namesBySchema.get(names)
  if (known) return known
  const taken = new Set<string>()
  const all = new Map(
    [...names.keys()].map((resource) => {
      const listed = [...resource.fields.values()].filter(({ hidden }) => !hidden)
      const prefix = typeName(names, resource)
      const entries = listed.flatMap(({ name, type: { blocks } }) =>
        blocks ? [[name, nameBlocks(prefix + capitalize(name), blocks, taken)] as const] : [],
      )
      return [resource, new Map(entries)] as const
    }),
  )
  namesBySchema.set(names, all)
  return all
}

function nameBlocks(prefix: string, blocks: ReadonlyMap<string, BlockType>, taken: Set<string>): BlockNames {
  const claim = (name: string) => {
    const free = freeName(name, taken)
    taken.add(free)
    return free
  }
  const item = claim(`${prefix}Block`)
  const ofBlocks = new Map([...blocks.keys()].map((name) => [name, claim(`${prefix}${capitalize(name)}Block`)]))
  const any = claim(`${prefix}AnyBlock`)
  const nested = new Map(
    [...blocks.values()].map(({ name, members }) => [name, nameNested(prefix + capitalize(name), members, taken)]),
  )
  return { item, blocks: ofBlocks, any, nested }
}

function nameNested(prefix: string, members: readonly FieldMember[], taken: Set<string>): NamesByField {
  const lists = members.flatMap(({ name, type: { blocks } }) => (blocks ? [{ name, blocks }] : []))
  return new Map(lists.map(({ name, blocks }) => [name, nameBlocks(prefix + capitalize(name), blocks, taken)]))
}

/** Returns the text of the types of a list of blocks: of an item in an answer, in an input and in a filter. */
export function blockTypes({ blocks = new Map() }: FieldType, names: BlockNames): readonly string[] {
  const ofEach = [...blocks.values()].flatMap((block) => typesOfBlock(block, names))
  const ofBlocks = [...names.blocks.values()]
  return [
    unionText(names.item, ofBlocks),
    unionText(
      `${names.item}Input`,
      ofBlocks.map((name) => `${name}Input`),
    ),
    unionText(
      `${names.item}Filter`,
      [...ofBlocks, names.any].map((name) => `${name}Filter`),
    ),
    anyFilterText([...blocks.values()], names),
    ...ofEach,
  ]
}

// Returns the text of the filter on items of any block. The compiler would take the members of a block in a filter that
// does not name the block, because another part of the union has them, unless they are `never` here.
function anyFilterText(blocks: readonly BlockType[], { item, any }: BlockNames): string {
  const members = new Set(blocks.flatMap((block) => block.members.map(({ name }) => name)))
  const type = blocks.map(({ name }) => `"${name}"`).join(" | ")
  return interfaceText(
    `${any}Filter`,
    [...members].map((name) => ({ name, type: "never", isOptional: true })),
    `AnyBlockFilter<${type}, ${item}Filter>`,
  )
}

function unionText(name: string, parts: readonly string[]): string {
  return `export type ${name} = ${parts.join(" | ")}`
}

function typesOfBlock({ name: block, members }: BlockType, names: BlockNames): readonly string[] {
  const name = names.blocks.get(block) ?? ""
  const nested = names.nested.get(block) ?? new Map<string, BlockNames>()
  const type = { name: "type", type: `"${block}"` }
  const filter = `${names.item}Filter`
  return [
    interfaceText(name, [type, { name: "id", type: "string" }, ...members.map((each) => outputMember(each, nested))]),
    interfaceText(`${name}Input`, [
      type,
      { name: "id", type: "string", isOptional: true },
      ...members.map((each) => inputMember(each, nested)),
    ]),
    interfaceText(`${name}Filter`, [
      type,
      ...members.map((each) => filterMember(each, nested)),
      { name: "AND", type: `readonly ${filter}[]`, isOptional: true },
      { name: "OR", type: `readonly ${filter}[]`, isOptional: true },
      { name: "NOT", type: filter, isOptional: true },
    ]),
    ...members.flatMap((each) => {
      const ofMember = nested.get(each.name)
      return ofMember ? blockTypes(each.type, ofMember) : []
    }),
  ]
}

function outputMember({ name, type, required }: FieldMember, nested: NamesByField): Member {
  const list = nested.get(name)
  return { name, type: orNull(list ? `${list.item}[]` : type.typescript.output, required) }
}

function inputMember({ name, type, required, isOptional }: FieldMember, nested: NamesByField): Member {
  const list = nested.get(name)
  return { name, type: orNull(list ? `readonly ${list.item}Input[]` : type.typescript.input, required), isOptional }
}

function filterMember({ name, type }: FieldMember, nested: NamesByField): Member {
  const list = nested.get(name)
  return { name, type: list ? `BlocksFilter<${list.item}Filter>` : plainFilterType(type), isOptional: true }
}

function orNull(type: string, required: boolean): string {
  return required ? type : `${type} | null`
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
