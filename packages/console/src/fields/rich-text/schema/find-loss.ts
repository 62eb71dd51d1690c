import type { Schema } from "prosemirror-model"
import type { Attributes, TextMark, TextNode } from "./rich-text-json.ts"

/** A part of a text that the editor would lose. `name` is that of a node, a mark or an attribute. */
export interface Loss {
  readonly kind: "node" | "mark" | "attribute" | "content"
  readonly name: string
}

/** Returns the first thing that is not the same after the text was in an editor with this schema: value → schema → value. */
export function findLoss(schema: Schema, text: TextNode): Loss | undefined {
  const unknown = unknownName(schema, text)
  if (unknown) return unknown
  try {
    const node = schema.nodeFromJSON(text)
    node.check()
    // ProseMirror writes the form that it reads.
    return difference(text, node.toJSON() as TextNode)
  } catch {
    return { kind: "content", name: brokenNode(schema, text) }
  }
}

function unknownName(schema: Schema, { type, marks = [], content = [] }: TextNode): Loss | undefined {
  if (!Object.hasOwn(schema.nodes, type)) return { kind: "node", name: type }
  const mark = marks.find((each) => !Object.hasOwn(schema.marks, each.type))
  if (mark) return { kind: "mark", name: mark.type }
  return first(content, (child) => unknownName(schema, child))
}

function difference(before: TextNode, after: TextNode): Loss | undefined {
  const attribute = lostAttribute(before.attrs, after.attrs)
  if (attribute !== undefined) return { kind: "attribute", name: attribute }
  const mark = before.marks?.find((each) => !after.marks?.some((other) => isSameMark(each, other)))
  if (mark) return { kind: "mark", name: mark.type }
  const { content = [] } = before
  const { content: written = [] } = after
  const isOther = before.type !== after.type || before.text !== after.text || content.length !== written.length
  if (isOther) return { kind: "content", name: before.type }
  return first(content, (child, index) => difference(child, written[index] ?? child))
}

function isSameMark(before: TextMark, after: TextMark): boolean {
  return before.type === after.type && lostAttribute(before.attrs, after.attrs) === undefined
}

// Attributes that the schema adds by default do not count, and one without a value is the same as none.
function lostAttribute(before?: Attributes | null, after?: Attributes | null): string | undefined {
  return Object.entries(before ?? {}).find(
    ([name, value]) => JSON.stringify(value ?? null) !== JSON.stringify(after?.[name] ?? null),
  )?.[0]
}

function brokenNode(schema: Schema, node: TextNode): string {
  const inner = node.content?.find((child) => !isAllowed(schema, child))
  return inner ? brokenNode(schema, inner) : node.type
}

function isAllowed(schema: Schema, node: TextNode): boolean {
  try {
    schema.nodeFromJSON(node).check()
    return true
  } catch {
    return false
  }
}

function first<Found>(
  nodes: readonly TextNode[],
  find: (node: TextNode, index: number) => Found | undefined,
): Found | undefined {
  for (const [index, node] of nodes.entries()) {
    const found = find(node, index)
    if (found !== undefined) return found
  }
  return undefined
}
