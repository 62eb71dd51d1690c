import fc from "fast-check"
import { matches, type Row, type Where } from "./where-oracle.ts"

/** A list of blocks as it is read, or null. */
export type Items = readonly Row[] | null

/** The blocks of `plainBlockFields`, and one whose members refer to the records of `targets` and `people`. */
export function blockFields(f: any): Record<string, any> {
  const [targets, people] = [f.relation("targets"), f.relation("people")]
  const link = { value: targets, named: people.onDelete("setNull"), links: f.array(targets), names: f.array(people) }
  return { ...plainBlockFields(f), link }
}

/** Blocks whose members of one name have different types, and a list of blocks within one of them. */
export function plainBlockFields(f: any): Record<string, any> {
  return {
    note: {
      value: f.text(),
      flag: f.boolean(),
      tags: f.array(f.text()),
      inner: f.blocks({ leaf: { value: f.textarea(), hour: f.time() }, rule: {} }),
    },
    sum: {
      value: f.number().integer(),
      money: f.number().decimal(10, 2),
      double: f.number(),
      big: f.number().bigint(),
      at: f.datetime(),
    },
    misc: {
      value: f.select(["red", "green"]),
      day: f.date(),
      data: f.json(),
      sums: f.array(f.number().decimal(6, 2)),
      moments: f.array(f.datetime()),
    },
    rule: {},
  }
}

/** The ids of the records to which the blocks refer. */
export const TARGET_IDS = ["1", "2", "3"].map((digit) => `0197b2a0-0000-7000-8000-00000000000${digit}`)
export const PEOPLE_IDS = ["ann", "Ann", "a%b", "5"]

const words = fc.constantFrom("", "apple", "Apple", "a%b", "a_b", "a\\b", "null", "true", "5")
const jsons = fc.constantFrom<unknown>(...[0, "a", true, [], [1, "a"], { a: 1 }, { a: { b: 2 } }])
const hours = fc.constantFrom("00:00:00", "10:30:00", "23:59:59")
const moments = fc.constantFrom(-62_135_596_800_000, 0, 1, 253_402_300_799_999).map((ms) => new Date(ms))
const sums = fc.constantFrom("1.00", "-2.50", "0.00")

const targets = fc.constantFrom(...TARGET_IDS)
const people = fc.constantFrom(...PEOPLE_IDS)

type Values = Readonly<Record<string, fc.Arbitrary<unknown>>>

const LEAVES: Readonly<Record<string, Values>> = { leaf: { value: words, hour: hours }, rule: {} }
const PLAIN_BLOCKS: Readonly<Record<string, Values>> = {
  note: { value: words, flag: fc.boolean(), tags: fc.array(words, { maxLength: 3 }) },
  sum: {
    value: fc.constantFrom(-2_147_483_648, -1, 0, 1, 5),
    money: fc.constantFrom("-3.10", "0.00", "1.50", "99999999.99"),
    double: fc.constantFrom(-1.5, 0, 0.1, 0.30000000000000004, 3e21, -1e-7, 5e-324, 1e300),
    big: fc.constantFrom(-9_223_372_036_854_775_808n, -1n, 0n, 9_007_199_254_740_993n),
    at: moments,
  },
  misc: {
    value: fc.constantFrom("red", "green"),
    day: fc.constantFrom("0001-01-01", "2026-05-04", "9999-12-31"),
    data: jsons,
    sums: fc.array(sums, { maxLength: 3 }),
    moments: fc.array(moments, { maxLength: 2 }),
  },
  rule: {},
}
const BLOCKS: Readonly<Record<string, Values>> = {
  ...PLAIN_BLOCKS,
  link: {
    value: targets,
    named: people,
    links: fc.array(targets, { maxLength: 3 }),
    names: fc.array(people, { maxLength: 3 }),
  },
}
const LISTS = new Set(["tags", "sums", "moments", "links", "names"])
const UNORDERED = new Set(["misc.value", "link.value", "link.named"])
const TEXTS = new Set(["note.value", "leaf.value"])

const leafLists = fc.array(itemsOf(LEAVES), { maxLength: 3 })

/** Generates lists of the blocks of `blockFields`, some of them null or empty. */
export const itemLists: fc.Arbitrary<Items> = listsOf(BLOCKS)

/** Generates lists of the blocks of `plainBlockFields`, some of them null or empty. */
export const plainItemLists: fc.Arbitrary<Items> = listsOf(PLAIN_BLOCKS)

function listsOf(blocks: Readonly<Record<string, Values>>): fc.Arbitrary<Items> {
  const items = itemsOf({ ...blocks, note: { ...blocks["note"], inner: leafLists } })
  return fc.option(fc.array(items, { maxLength: 4 }), { freq: 6 })
}

function itemsOf(blocks: Readonly<Record<string, Values>>): fc.Arbitrary<Row> {
  const items = Object.entries(blocks).map(([type, values]) => {
    const members = Object.entries(values).map(([name, value]) => [name, fc.option(value, { freq: 4 })] as const)
    return fc.record({ type: fc.constant(type), ...Object.fromEntries(members) })
  })
  return fc.oneof(...items)
}

/** Generates filters on the field `body`, which has the blocks of `blockFields`. */
export function blockFilters(): fc.Arbitrary<Where> {
  return treeOf(blockConditionsOnList().map((body) => ({ body })))
}

function blockConditionsOnList(): fc.Arbitrary<unknown> {
  return listConditions(BLOCKS, innerLists())
}

/** Generates conditions on a list of the blocks of `plainBlockFields`. */
export function plainBlockConditionsOnList(): fc.Arbitrary<unknown> {
  return listConditions(PLAIN_BLOCKS, innerLists())
}

function innerLists(): Readonly<Record<string, Values>> {
  return { note: { inner: listConditions(LEAVES, {}) } }
}

function listConditions(
  blocks: Readonly<Record<string, Values>>,
  more: Readonly<Record<string, Values>>,
): fc.Arbitrary<unknown> {
  const filter = treeOf(fc.oneof(typeConditions(Object.keys(blocks)), ...blockConditions(blocks, more)))
  const quantified = ["some", "none", "every"].map((name) => filter.map((given) => ({ [name]: given })))
  const counts = fc.oneof(
    fc.record({ isEmpty: fc.boolean() }),
    fc.record({ isNotEmpty: fc.boolean() }),
    fc.record({ isNull: fc.boolean() }),
    fc.record({ length: fc.nat(4) }),
  )
  return fc.oneof({ arbitrary: fc.oneof(...quantified), weight: 5 }, counts)
}

function typeConditions(names: readonly string[]): fc.Arbitrary<Where> {
  const name = fc.constantFrom(...names)
  const names2 = fc.array(name, { maxLength: 2 })
  const condition = fc.oneof<fc.Arbitrary<unknown>[]>(
    name,
    fc.record({ eq: name }),
    fc.record({ ne: name }),
    fc.record({ in: names2 }),
    fc.record({ notIn: names2 }),
  )
  return condition.map((type) => ({ type }))
}

// Conditions on members, each beside the name of its block.
function blockConditions(
  blocks: Readonly<Record<string, Values>>,
  more: Readonly<Record<string, Values>>,
): fc.Arbitrary<Where>[] {
  return Object.entries(blocks).flatMap(([type, values]) => {
    const own = Object.entries(values).map(([name, value]) =>
      fc.oneof(...operatorsOn(`${type}.${name}`, value)).map((given) => ({ [name]: given })),
    )
    const nested = Object.entries(more[type] ?? {}).map(([name, value]) => value.map((given) => ({ [name]: given })))
    const conditions = [...own, ...nested]
    if (conditions.length === 0) return []
    const parts = fc.array(fc.oneof(...conditions), { minLength: 1, maxLength: 2 })
    const named = fc.constantFrom<unknown>(type, { eq: type })
    return [fc.tuple(named, parts).map(([name, given]) => Object.assign({ type: name }, ...given) as Where)]
  })
}

function operatorsOn(place: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
  // A bare text is not an operand of JSON: in a query string it would be read as JSON text.
  const value = place === "misc.data" ? values.filter((given) => typeof given !== "string") : values
  const name = place.replace(/^.*\./, "")
  const nullness = [fc.record({ isNull: fc.boolean() }), fc.constant(null)]
  if (LISTS.has(name)) {
    const items = (value as fc.Arbitrary<unknown[]>).filter((list) => list.length > 0)
    return [
      ...nullness.slice(0, 1),
      items.map(([item]) => ({ contains: item })),
      value.map((list) => ({ containsAll: list })),
      value.map((list) => ({ containsAny: list })),
      fc.record({ isEmpty: fc.boolean() }),
      fc.record({ length: fc.nat(3) }),
    ]
  }
  const equality = ["eq", "ne"].map((operator) => fc.option(value, { freq: 8 }).map((given) => ({ [operator]: given })))
  if (name === "data") {
    const path = fc.constantFrom({ at: "a", eq: 1 }, { at: "a.b", gt: 1 }, { at: "a", ne: 1 })
    return [
      ...nullness,
      ...equality,
      value.map((given) => ({ contains: given })),
      path.map((given) => ({ path: given })),
    ]
  }
  const lists = ["in", "notIn"].map((operator) =>
    fc.array(value, { maxLength: 3 }).map((given) => ({ [operator]: given })),
  )
  const plain = [...nullness, ...equality, value, ...lists]
  if (TEXTS.has(place)) return [...plain, ...textOperators()]
  const isOrdered = name !== "flag" && !UNORDERED.has(place)
  return isOrdered ? [...plain, ...orderOperators(value)] : plain
}

function textOperators(): fc.Arbitrary<unknown>[] {
  const part = fc.constantFrom("", "a", "A", "%", "_", "pp")
  const pattern = fc.array(fc.constantFrom("a", "A", "p", "%", "_", "\\%"), { maxLength: 4 }).map((all) => all.join(""))
  return [
    ...["contains", "startsWith", "endsWith"].map((operator) => part.map((given) => ({ [operator]: given }))),
    ...["like", "ilike", "notLike", "notIlike"].map((operator) => pattern.map((given) => ({ [operator]: given }))),
  ]
}

function orderOperators(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
  return [
    ...["gt", "gte", "lt", "lte"].map((operator) => value.map((given) => ({ [operator]: given }))),
    fc.tuple(value, value).map((pair) => ({ between: pair })),
  ]
}

function treeOf(leaf: fc.Arbitrary<Where>): fc.Arbitrary<Where> {
  const { tree } = fc.letrec<{ tree: Where }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 2 },
      leaf,
      fc.constant<Where>({}),
      fc.array(tie("tree"), { maxLength: 3 }).map((parts) => ({ AND: parts })),
      fc.array(tie("tree"), { maxLength: 3 }).map((parts) => ({ OR: parts })),
      tie("tree").map((part) => ({ NOT: part })),
    ),
  }))
  return tree
}

/** Evaluates a filter on the field `body` in plain JavaScript. Written from the documentation. */
export function blocksMatch(body: Items, where: Where): boolean {
  return Object.entries(where).every(([name, condition]) => {
    if (name === "AND") return (condition as Where[]).every((part) => blocksMatch(body, part))
    if (name === "OR") return (condition as Where[]).some((part) => blocksMatch(body, part))
    if (name === "NOT") return !blocksMatch(body, condition as Where)
    return listMatches(body, condition as Where)
  })
}

function listMatches(list: Items, condition: Where): boolean {
  const items = list ?? []
  return Object.entries(condition).every(([operator, operand]) => {
    const holds = (item: Row) => itemMatches(item, operand as Where)
    if (operator === "some") return items.some(holds)
    if (operator === "none") return !items.some(holds)
    if (operator === "every") return items.every(holds)
    return countMatches(list, operator, operand)
  })
}

function countMatches(list: readonly unknown[] | null, operator: string, operand: unknown): boolean {
  const length = list?.length ?? 0
  if (operator === "isEmpty") return (length === 0) === operand
  if (operator === "isNotEmpty") return length > 0 === operand
  if (operator === "isNull") return (list === null) === operand
  if (operator === "length") return list !== null && length === operand
  throw new Error(`The oracle does not know ${operator} of a list.`)
}

function itemMatches(item: Row, filter: Where): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    if (name === "AND") return (condition as Where[]).every((part) => itemMatches(item, part))
    if (name === "OR") return (condition as Where[]).some((part) => itemMatches(item, part))
    if (name === "NOT") return !itemMatches(item, condition as Where)
    // The members of the other blocks differ in their types, and the filter names the block beside them.
    if (item["type"] !== namedBlock(filter) && name !== "type") return false
    if (name === "inner") return listMatches((item[name] ?? null) as Items, condition as Where)
    if (LISTS.has(name)) return plainListMatches(name, (item[name] ?? null) as unknown[] | null, condition as Where)
    return matches(item, { [name]: condition }, () => undefined)
  })
}

function namedBlock({ type }: Where): unknown {
  return typeof type === "object" && type !== null ? (type as Where)["eq"] : type
}

function plainListMatches(name: string, list: readonly unknown[] | null, condition: Where): boolean {
  const keyOf = (item: unknown) => (item instanceof Date ? item.getTime() : name === "sums" ? Number(item) : item)
  const items = (list ?? []).map(keyOf)
  return Object.entries(condition).every(([operator, operand]) => {
    const has = (item: unknown) => items.includes(keyOf(item))
    if (operator === "contains") return has(operand)
    if (operator === "containsAll") return list !== null && (operand as unknown[]).every(has)
    if (operator === "containsAny") return (operand as unknown[]).some(has)
    return countMatches(list, operator, operand)
  })
}
