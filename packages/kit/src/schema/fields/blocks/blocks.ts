import { Field } from "../../builders/field.ts"
import type { BlockType, FieldMember, FieldType, IdTypeOf, PartCheck } from "../../compile/field-type.ts"
import { findCountMistakes, type ItemCounts, itemLimits } from "../array.ts"
import { isPlainObject, parseJsonOperand, parseJsonText, toJsonText } from "../json.ts"
import { compileMembers, inputDeclarations, outputDeclarations } from "../members/compile-members.ts"
import { checksOfMembers, readMembers, withIdsInMembers } from "../members/parse-members.ts"
import { referencesOfBlocks } from "../members/part-references.ts"
import { asBlock, findBlockMistakes } from "./block.ts"
import { blocksSchemas } from "./block-schemas.ts"
import { type MembersByBlock, parseBlocks } from "./parse-blocks.ts"

interface BlocksRules extends ItemCounts {
  /** The author's declarations, by the names of the blocks. */
  readonly blocks: Readonly<Record<string, unknown>>
}

// The maximum number of items in a list of blocks, unless the author sets another one with `.max()`.
const DEFAULT_MAX_ITEMS = 1_000
// The levels of lists of blocks within each other. Each level makes the types, schemas and filters of a field larger.
const MAX_DEPTH = 4

/** A field whose value is a list of items, each of which is one of several blocks with members of its own. */
export class BlocksField<Value = unknown> extends Field<Value, BlocksRules> {
  /** Requires at least this many items in the list. */
  min(items: number): this {
    return this.withRules({ min: items })
  }

  /** Allows at most this many items in the list. Without it, a list has at most 1,000. */
  max(items: number): this {
    return this.withRules({ max: items })
  }

  override compile(idTypeOf?: IdTypeOf): FieldType {
    const { min, max = DEFAULT_MAX_ITEMS } = this.rules
    const counts = { ...(min !== undefined && { min }), max }
    const members = membersByBlock(this.rules, idTypeOf)
    const blocks = blockTypes(this.rules, members)
    return {
      name: "blocks",
      sqlType: "jsonb",
      operators: "blocks",
      typescript: typescriptOf(blocks),
      jsonSchema: blocksSchemas(members, counts),
      limits: Object.freeze(itemLimits(counts)),
      blocks,
      ...referencesOfBlocks(members),
      hasUnlistedParts: [...members.values()].flat().some(hasExtendedParts),
      parse: (value, source) => parseBlocks(members, { value, source, counts }),
      parseOperand: parseJsonOperand,
      parseText: parseJsonText,
      toSql: toJsonText,
      fromJson: (json) => (Array.isArray(json) ? json.map((item, index) => readItem(blocks, item, index)) : json),
      withIds: withIdsIn(members),
      checkParts: (value) => checksOf(members, value),
    }
  }

  override mistakes(): readonly string[] {
    const { blocks, ...counts } = this.rules
    if (!isPlainObject(blocks) || Object.keys(blocks).length === 0)
      return ["has no blocks. Give at least one: f.blocks({ quote: { text: f.textarea() } })."]
    const mistakes = Object.entries(blocks).flatMap(([name, block]) => findBlockMistakes(name, block))
    if (mistakes.length > 0) return mistakes
    const isTooDeep = depthOf(this.compile()) > MAX_DEPTH
    const tooDeep = `nests blocks in more than ${MAX_DEPTH} levels. Move the inner ones into a collection.`
    return [
      ...(isTooDeep ? [tooDeep] : []),
      ...(this.traits.index ? ["is a list of blocks, for which no index helps. Remove .index()."] : []),
      ...findCountMistakes(counts),
    ]
  }
}

function membersByBlock({ blocks }: BlocksRules, idTypeOf: IdTypeOf | undefined): MembersByBlock {
  const named = Object.entries(blocks ?? {})
  return new Map(named.map(([name, block]) => [name, compileMembers(asBlock(block).members, idTypeOf)]))
}

function blockTypes({ blocks }: BlocksRules, members: MembersByBlock): ReadonlyMap<string, BlockType> {
  return new Map(
    [...members].map(([name, ofBlock]) => {
      const { presentation } = asBlock(blocks[name])
      return [name, Object.freeze({ name, members: Object.freeze(ofBlock), presentation })]
    }),
  )
}

function typescriptOf(blocks: ReadonlyMap<string, BlockType>): FieldType["typescript"] {
  const items = [...blocks.values()]
  const outputs = items.map(({ name, members }) =>
    objectText([`type: "${name}"`, "id: string"], outputDeclarations(members)),
  )
  const inputs = items.map(({ name, members }) =>
    objectText([`type: "${name}"`, "id?: string"], inputDeclarations(members)),
  )
  return { output: `(${outputs.join(" | ")})[]`, input: `readonly (${inputs.join(" | ")})[]` }
}

function objectText(own: readonly string[], members: readonly string[]): string {
  return `{ ${[...own, ...members].join("; ")} }`
}

function hasExtendedParts({ type }: FieldMember): boolean {
  const { extended, extendedParts = {}, hasUnlistedParts = false } = type
  return extended !== undefined || Object.keys(extendedParts).length > 0 || hasUnlistedParts
}

// Returns the number of lists of blocks within each other, at the deepest place of the type.
function depthOf({ blocks, members = [], element }: FieldType): number {
  const inner = [...members, ...[...(blocks?.values() ?? [])].flatMap((block) => block.members)].map(({ type }) => type)
  const deepest = [...inner, ...(element ? [element] : [])].map(depthOf)
  return Math.max(0, ...deepest) + (blocks ? 1 : 0)
}

// An item of a block that the field no longer has is returned as it is stored. An item that was not stored by kit, such
// as one of a default in a migration, may have no id: its place in the list stands for it.
function readItem(blocks: ReadonlyMap<string, BlockType>, item: unknown, index: number): unknown {
  if (!isPlainObject(item)) return item
  const block = typeof item["type"] === "string" ? blocks.get(item["type"]) : undefined
  if (block === undefined) return item
  return { type: block.name, id: item["id"] ?? String(index + 1), ...readMembers(block.members, item) }
}

type Item = Readonly<Record<string, unknown>> & { readonly type: string }

function withIdsIn(members: MembersByBlock): NonNullable<FieldType["withIds"]> {
  const inner = new Map([...members].map(([name, ofBlock]) => [name, withIdsInMembers(ofBlock)]))
  return (value, newId) =>
    // The cast is safe: the function is called only with a list that this type has parsed.
    (value as readonly Item[]).map(({ type, id = newId(), ...item }) => {
      const values = inner.get(type)?.(item, newId) ?? item
      return { type, id, ...(values as object) }
    })
}

function checksOf(members: MembersByBlock, value: unknown): readonly PartCheck[] {
  // The cast is safe: the function is called only with a list that this type has parsed.
  return (value as readonly Item[]).flatMap((item, index) =>
    checksOfMembers(members.get(item.type) ?? [], item).map((check) => ({ ...check, path: `${index}.${check.path}` })),
  )
}
