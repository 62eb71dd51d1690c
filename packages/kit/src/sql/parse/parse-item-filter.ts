import type { BlockType, FieldMember, FieldType } from "../../schema/compile/field-type.ts"
import { selectType } from "../../schema/fields/select.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { comparisonWeight } from "../filter/comparison-weight.ts"
import type { ItemFilter } from "../filter/item-filter.ts"
import type { Operator } from "../filter/operator.ts"
import { operatorsOf } from "../filter/operators.ts"
import type { ParseContext } from "./parse-context.ts"
import { parseOperand } from "./parse-operand.ts"
import { deeper, type FieldPosition, inside, isRecord, NULLNESS } from "./where-position.ts"

/** A filter on the items of a list of blocks, before it is parsed. */
interface GivenItemFilter {
  /** The type of the list. */
  readonly type: FieldType
  readonly value: unknown
  readonly position: FieldPosition
  /** Counts a condition, and throws if the whole filter has too many. */
  count(path: string): void
}

/**
 * Parses a filter on one item of a list of blocks, such as `{ type: "quote", text: { contains: "x" } }`. Conditions on
 * the members of a block need the block's name beside them, because members of two blocks may have the same name.
 */
export function parseItemFilter(
  { type, value, position, count }: GivenItemFilter,
  parseContext: ParseContext,
): ItemFilter {
  return new ItemFilterParser(type, { parseContext, count }).parse(value, position)
}

interface ParserTools extends Pick<GivenItemFilter, "count"> {
  readonly parseContext: ParseContext
}

const TYPE_OPERATORS = ["eq", "ne", "in", "notIn"]

interface Condition {
  readonly name: string
  readonly value: unknown
}

class ItemFilterParser {
  readonly #blocks: ReadonlyMap<string, BlockType>
  readonly #nameType: FieldType
  readonly #tools: ParserTools

  constructor({ blocks = new Map() }: FieldType, tools: ParserTools) {
    this.#blocks = blocks
    this.#nameType = selectType([...blocks.keys()])
    this.#tools = tools
  }

  parse(input: unknown, position: FieldPosition): ItemFilter {
    if (position.depth > QUERY_LIMITS.maxWhereDepth) {
      throw invalid(position.path, `Filters may be nested at most ${QUERY_LIMITS.maxWhereDepth} levels deep.`)
    }
    const given = this.#tools.parseContext.isText && input === "" ? {} : input
    if (!isRecord(given)) throw invalid(position.path, 'Expected conditions on an item, such as { type: "quote" }.')
    const conditions = Object.entries(given).map(([name, value]) => ({ name, value }))
    if (conditions.length === 0) this.#tools.count(position.path)
    const block = this.#namedBlock(given["type"])
    return allOf(
      conditions.map((condition) => this.#parseCondition(block, condition, inside(position, condition.name))),
    )
  }

  // Returns the block that the filter names by a bare value or by `eq`: then the item can be of no other block.
  #namedBlock(type: unknown): BlockType | undefined {
    const name = isRecord(type) ? type["eq"] : type
    return typeof name === "string" ? this.#blocks.get(name) : undefined
  }

  #parseCondition(block: BlockType | undefined, { name, value }: Condition, position: FieldPosition): ItemFilter {
    if (value === undefined)
      throw invalid(position.path, "The value is undefined. Leave the condition out, or use null.")
    switch (name) {
      case "AND":
        return { kind: "all", parts: this.#parseList(value, position) }
      case "OR":
        return { kind: "any", parts: this.#parseList(value, position) }
      case "NOT":
        return { kind: "not", part: this.parse(value, deeper(position)) }
      case "type":
        return this.#parseType(value, position)
      default:
        return this.#parseMember(this.#memberOf(block, name, position.path), value, position)
    }
  }

  #parseList(input: unknown, position: FieldPosition): ItemFilter[] {
    const list = this.#tools.parseContext.isText && input === "" ? [] : input
    if (!Array.isArray(list)) throw invalid(position.path, "Expected a list of conditions.")
    this.#tools.count(position.path)
    return list.map((item, index) => this.parse(item, deeper(inside(position, String(index)))))
  }

  #parseType(value: unknown, position: FieldPosition): ItemFilter {
    const comparisons = isRecord(value) ? Object.entries(value) : [["eq", value] as const]
    if (comparisons.length === 0) throw invalid(position.path, "Expected the name of a block, or an operator.")
    return allOf(
      comparisons.map(([name, operand]) => {
        const at = isRecord(value) ? inside(position, name) : position
        const operator = TYPE_OPERATORS.includes(name) ? operatorsOf(this.#nameType.operators).get(name) : undefined
        if (operator === undefined)
          throw invalid(at.path, `The type of an item has no operator "${name}".${didYouMean(name, TYPE_OPERATORS)}`)
        return this.#compare({ member: "type", type: this.#nameType, operator }, operand, at)
      }),
    )
  }

  #memberOf(block: BlockType | undefined, name: string, path: string): FieldMember {
    const member = block?.members.find((each) => each.name === name)
    if (member) return member
    if (block) {
      const known = ["type", ...block.members.map((each) => each.name)]
      throw invalid(path, `The block "${block.name}" has no member "${name}".${didYouMean(name, known)}`)
    }
    const owner = [...this.#blocks.values()].find(({ members }) => members.some((each) => each.name === name))
    if (owner === undefined)
      throw invalid(path, `No block has a member "${name}".${didYouMean(name, this.#memberNames())}`)
    throw invalid(path, `Name the block of "${name}" in the same object: { type: "${owner.name}", ${name}: … }.`)
  }

  #memberNames(): string[] {
    return ["type", ...[...this.#blocks.values()].flatMap(({ members }) => members.map(({ name }) => name))]
  }

  #parseMember({ name, type }: FieldMember, value: unknown, position: FieldPosition): ItemFilter {
    const isOperators = isRecord(value)
    const comparisons = isOperators ? Object.entries(value) : [["eq", value] as const]
    if (comparisons.length === 0) throw invalid(position.path, "Expected a value or an operator.")
    return allOf(
      comparisons.map(([given, operand]) => {
        const at = isOperators ? inside(position, given) : position
        const isNull = operand === null ? NULLNESS.get(given) : undefined
        const operator = operatorsOf(type.operators).get(isNull ?? given)
        if (operator === undefined) throw unknownOperator({ name, type }, given, at.path)
        return this.#compare({ member: name, type, operator }, isNull ? true : operand, at)
      }),
    )
  }

  #compare(
    compared: { readonly member: string; readonly type: FieldType; readonly operator: Operator },
    value: unknown,
    position: FieldPosition,
  ): ItemFilter {
    const { parseContext, count } = this.#tools
    const { type, operator } = compared
    count(position.path)
    const operand =
      operator.operand === "itemFilter"
        ? parseItemFilter({ type, value, position: deeper(position), count }, parseContext)
        : parseOperand({ operator, type, value, path: position.path }, parseContext)
    parseContext.cost?.addComparison(comparisonWeight({ operator, type, operand }), position.path)
    // In a query string, the text of a JSON value can be that of null.
    const nullness = operand === null ? operatorsOf(type.operators).get(NULLNESS.get(operator.name) ?? "") : undefined
    return nullness
      ? { kind: "compare", ...compared, operator: nullness, operand: true }
      : { kind: "compare", ...compared, operand }
  }
}

function unknownOperator({ name, type }: Pick<FieldMember, "name" | "type">, operator: string, path: string): Error {
  const known = [...operatorsOf(type.operators).keys()]
  return invalid(path, `The member "${name}" has no operator "${operator}".${didYouMean(operator, known)}`)
}

function allOf(parts: readonly ItemFilter[]): ItemFilter {
  const [only, ...others] = parts
  return only && others.length === 0 ? only : { kind: "all", parts }
}
