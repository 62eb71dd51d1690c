import type { SeededRandom } from "../support/seeded-random.ts"

type Node = Record<string, unknown>

/** The names of the generated texts that the basic schema of ProseMirror does not have. */
export const UNKNOWN_NODES = [
  "callout",
  "widget",
  "mention",
  "bullet_list",
  "list_item",
  "table",
  "table_row",
  "table_cell",
]
export const UNKNOWN_MARKS = ["comment", "strike", "highlight"]

/** Returns the content of a text with at least one thing that an editor with the basic schema would lose. */
export function generatedContent(random: SeededRandom): Node[] {
  const blocks = Array.from({ length: random.below(4) }, () => knownBlock(random))
  const broken = pick(random, BROKEN)(random)
  blocks.splice(random.below(blocks.length + 1), 0, isInline(broken) ? paragraph(broken) : broken)
  return blocks
}

const BROKEN: readonly ((random: SeededRandom) => Node)[] = [
  // Names that it does not know.
  (random) => ({ type: "callout", attrs: { tone: word(random) }, content: [knownBlock(random), knownBlock(random)] }),
  (random) => ({ type: "widget", attrs: { id: random.below(99), options: { deep: [word(random)] } } }),
  (random) => ({ type: "blockquote", content: [knownBlock(random), list(random)] }),
  list,
  (random) => table(random),
  (random) => ({ type: "mention", attrs: { user: word(random) } }),
  (random) => text(random, { type: "comment", attrs: { id: random.below(99) } }),
  (random) => text(random, { type: "strong" }, { type: "highlight" }),
  (random) => ({ type: "blockquote", content: [paragraph(text(random), text(random, { type: "strike" }))] }),
  // Attributes that it does not know.
  (random) => ({ ...paragraph(text(random)), attrs: { align: word(random) } }),
  (random) => ({ type: "heading", attrs: { level: 2, anchor: word(random) }, content: [text(random)] }),
  (random) => text(random, { type: "link", attrs: { href: "/a", rel: word(random) } }),
  (random) => ({ type: "image", attrs: { src: "/a.png", width: random.below(900) } }),
  // Content that it does not allow, and attributes that it needs.
  () => ({ type: "blockquote" }),
  (random) => ({ type: "blockquote", content: [text(random)] }),
  (random) => ({ type: "paragraph", content: [paragraph(text(random))] }),
  (random) => ({ type: "code_block", content: [text(random, { type: "strong" })] }),
  (random) => ({ type: "horizontal_rule", content: [text(random)] }),
  (random) => ({ type: "image", attrs: { alt: word(random) } }),
  (random) => text(random, { type: "link", attrs: { title: word(random) } }),
  (random) => ({ type: "heading", attrs: { level: "two" }, content: [text(random)] }),
]

function knownBlock(random: SeededRandom): Node {
  return pick(random, [
    () => paragraph(text(random)),
    () => paragraph(text(random), text(random, { type: "strong" })),
    () => ({ type: "heading", attrs: { level: 1 + random.below(4) }, content: [text(random)] }),
    () => ({ type: "blockquote", content: [paragraph(text(random))] }),
  ])()
}

function list(random: SeededRandom): Node {
  return { type: "bullet_list", content: [{ type: "list_item", content: [paragraph(text(random))] }] }
}

function table(random: SeededRandom): Node {
  const cell = () => ({
    type: "table_cell",
    attrs: { colspan: 1 + random.below(3) },
    content: [paragraph(text(random))],
  })
  return { type: "table", content: [{ type: "table_row", content: [cell(), cell()] }] }
}

function isInline({ type }: Node): boolean {
  return type === "text" || type === "image" || type === "mention"
}

function paragraph(...content: Node[]): Node {
  return { type: "paragraph", content }
}

function text(random: SeededRandom, ...marks: Node[]): Node {
  return { type: "text", text: `${word(random)} ${word(random)}`, ...(marks.length > 0 && { marks }) }
}

function word(random: SeededRandom): string {
  return `w${random.below(10_000)}`
}

function pick<Item>(random: SeededRandom, [first, ...others]: readonly Item[]): Item {
  const chosen = [first, ...others][random.below(others.length + 1)]
  if (chosen === undefined) throw new Error("There is nothing to choose from.")
  return chosen
}
