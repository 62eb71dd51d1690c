/** A node of a rich text, as ProseMirror writes it. */
export interface TextNode {
  readonly type: string
  readonly attrs?: Attributes | null
  readonly content?: readonly TextNode[]
  readonly text?: string
  readonly marks?: readonly TextMark[]
}

export interface TextMark {
  readonly type: string
  readonly attrs?: Attributes | null
}

export type Attributes = Readonly<Record<string, unknown>>

/** Returns the value of a field as a rich text; null if it is none. */
export function richTextOf(value: unknown): TextNode | null {
  // A value of another form is of no use to an editor, and the server stores none.
  return Object(value).type === "doc" ? (value as TextNode) : null
}

/** Calls back with each node of a text and the node around it, from the outside to the inside. */
export function eachNode(node: TextNode, visit: (node: TextNode, parent: TextNode | null) => void): void {
  const enter = (at: TextNode, parent: TextNode | null) => {
    visit(at, parent)
    for (const child of at.content ?? []) enter(child, at)
  }
  enter(node, null)
}
