import type { Attributes, EditorSchema, TextMark, TextNode } from "./editor-schema.ts"

/**
 * Returns what an editor with this schema would lose of a rich text: a node, mark or attribute that it does not know, or
 * content that it does not allow. Returns undefined if the text is the same after it was in the editor; attributes that
 * the schema adds by default do not count.
 */
export function findLoss(schema: EditorSchema, content: readonly TextNode[]): string | undefined {
  // Editors show an empty text as one with an empty paragraph.
  if (content.length === 0) return undefined
  const document = { type: schema.topNodeType.name, content }
  const unknown = unknownName(schema, document, [])
  if (unknown !== undefined) return `This editor does not know ${unknown}.`
  try {
    const node = schema.nodeFromJSON(document)
    node.check()
    // The cast is safe: a schema of an editor writes its nodes as it reads them.
    const lost = difference(document, node.toJSON() as TextNode, [])
    return lost && `This editor does not know ${lost}.`
  } catch (error) {
    return `This editor cannot hold ${brokenNode(schema, document, [])}: ${error instanceof Error ? error.message : error}.`
  }
}

/** The numbers of the nodes that lead to a node, each within the one before it. */
type Path = readonly number[]

function unknownName(
  schema: EditorSchema,
  { type, marks = [], content = [] }: TextNode,
  path: Path,
): string | undefined {
  if (!Object.hasOwn(schema.nodes, type)) return `the node "${type}"${at(path)}`
  const mark = marks.find(({ type: name }) => !Object.hasOwn(schema.marks, name))
  return mark
    ? `the mark "${mark.type}"${at(path)}`
    : firstOf(content, path, (...inner) => unknownName(schema, ...inner))
}

// Returns the first attribute or mark that is not what it was.
function difference(before: TextNode, after: TextNode, path: Path): string | undefined {
  const lost = lostAttribute(before.attrs, after.attrs)
  if (lost !== undefined) return `the attribute "${lost}" of the node "${before.type}"${at(path)}`
  const { marks = [], content = [] } = before
  const others = after.marks ?? []
  const mark = marks.find((each) => !others.some((other) => isSameMark(each, other)))
  if (mark) return `the mark "${mark.type}" as it is${at(path)}`
  const { content: written = [] } = after
  const isOther = before.type !== after.type || before.text !== after.text || content.length !== written.length
  if (isOther) return `the content of the node "${before.type}"${at(path)}`
  return firstOf(content, path, (child, inner) => difference(child, written[inner.at(-1) ?? 0] ?? child, inner))
}

function isSameMark(before: TextMark, after: TextMark): boolean {
  return before.type === after.type && lostAttribute(before.attrs, after.attrs) === undefined
}

function lostAttribute(before: Attributes = {}, after: Attributes = {}): string | undefined {
  return Object.keys(before).find((name) => sortedJson(before[name]) !== sortedJson(after[name]))
}

function sortedJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) =>
    Object.prototype.toString.call(part) === "[object Object]" ? Object.entries(Object(part)).sort() : part,
  )
}

// Returns the innermost node that the schema refuses.
function brokenNode(schema: EditorSchema, node: TextNode, path: Path): string {
  const inner = firstOf(node.content ?? [], path, (child, place) =>
    isAllowed(schema, child) ? undefined : brokenNode(schema, child, place),
  )
  return inner ?? `the node "${node.type}"${at(path)}`
}

function isAllowed(schema: EditorSchema, node: TextNode): boolean {
  try {
    schema.nodeFromJSON(node).check()
    return true
  } catch {
    return false
  }
}

function firstOf(
  content: readonly TextNode[],
  path: Path,
  find: (node: TextNode, path: Path) => string | undefined,
): string | undefined {
  for (const [index, node] of content.entries()) {
    const found = find(node, [...path, index])
    if (found !== undefined) return found
  }
  return undefined
}

function at(path: Path): string {
  return path.length === 0 ? "" : ` (at ${path.map((index) => `content.${index}`).join(".")})`
}
