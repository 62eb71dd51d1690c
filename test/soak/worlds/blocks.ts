// Lists of blocks: their declaration, random values of them, and random filters on their items.
import type { collection } from "kit"
import type { Chance } from "../live/random.ts"

type Fields = Parameters<Parameters<ReturnType<typeof collection>["fields"]>[0]>[0]["f"]
type Data = Record<string, any>

const TONES = ["warm", "cold"]

/** Returns a list of blocks: some have members of the same name, and one has blocks in it. */
export function blocksField(f: Fields) {
  const quote = { text: f.text(), by: f.text() }
  return f.blocks({
    quote,
    figure: {
      ...{ amount: f.number().integer(), day: f.date(), tones: f.select(TONES).multiple() },
      book: f.relation("books").onDelete("setNull"),
    },
    prose: {
      ...{ text: f.richText(), size: f.object({ width: f.number(), unit: f.text() }), words: f.array(f.text()) },
      authors: f.array(f.relation("authors").onDelete("setNull")),
    },
    box: { heading: f.text(), inner: f.blocks({ quote, rule: {} }).max(5) },
    rule: {},
  })
}

interface Words {
  readonly chance: Chance
  word(): string
  fresh(prefix: string): string
  /** Ids of records to which blocks may refer. */
  ids(name: string): readonly string[]
}

/** Returns a list for such a field, or null. Some of its items have ids, the others get one from the server. */
export function randomBlocks(words: Words): readonly Data[] | null {
  const { chance } = words
  if (chance.is(10)) return null
  return Array.from({ length: chance.below(4) }, () => identified(words, block(words)))
}

function block(words: Words): Data {
  const { chance } = words
  const kind = chance.below(5)
  if (kind === 0) return { type: "rule" }
  if (kind === 1) {
    const tones = TONES.filter(() => chance.is(50))
    return { type: "figure", amount: chance.of([null, 1, 2, 3]), tones, book: chance.of([null, ...words.ids("books")]) }
  }
  if (kind === 2) {
    const authors = words.ids("authors").filter(() => chance.is(30))
    return { type: "prose", text: paragraph(words.word()), words: [words.word()], authors }
  }
  if (kind === 3) {
    const inner = Array.from({ length: chance.below(3) }, () => identified(words, chance.of([quote(words), RULE])))
    return { type: "box", heading: words.word(), inner }
  }
  return quote(words)
}

const RULE = { type: "rule" }

function quote({ chance, word }: Words): Data {
  return { type: "quote", ...(chance.is(80) && { text: word() }), by: chance.of(["bob", "zoe", null]) }
}

function identified({ chance, fresh }: Words, item: Data): Data {
  return chance.is(30) ? { ...item, id: fresh("item") } : item
}

function paragraph(text: string) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] }
}

/** Returns a filter on an item. A few are wrong. */
export function randomItemFilter(words: Words, depth = 2): Data {
  const { chance } = words
  const part = () => randomItemFilter(words, depth - 1)
  const simple = [
    { type: chance.of(["quote", "figure", "box", "rule"]) },
    { type: { [chance.of(["in", "notIn"])]: [chance.of(["quote", "figure"]), "rule"] } },
    { type: "quote", text: { [chance.of(["contains", "startsWith", "eq", "ne"])]: words.word().slice(0, 4) } },
    { type: "quote", by: { isNull: chance.is(50) } },
    { type: "figure", amount: { [chance.of(["gt", "lte", "ne"])]: 1 + chance.below(3) } },
    { type: "figure", tones: { contains: chance.of(TONES) } },
    { type: "figure", book: { [chance.of(["eq", "ne"])]: chance.of(["book-1", ...words.ids("books")]) } },
    { type: "prose", words: { contains: words.word() } },
    { type: "box", heading: { contains: words.word().slice(0, 3) } },
  ]
  if (chance.is(4)) return chance.of([{ text: "alpha" }, { type: "quot" }, { type: "figure", by: "bob" }])
  if (depth > 0 && chance.is(35)) {
    return chance.of([
      { NOT: part() },
      { [chance.of(["AND", "OR"])]: [part(), part()] },
      { type: "box", inner: { [chance.of(["some", "none", "every"])]: innerFilter(words) } },
    ])
  }
  return chance.of(simple)
}

function innerFilter({ chance, word }: Words): Data {
  return chance.of([
    { type: chance.of(["quote", "rule"]) },
    { type: "quote", text: { contains: word().slice(0, 3) } },
    { NOT: { type: "quote", by: "bob" } },
  ])
}
