/**
 * The schema of an editor, such as a `Schema` of ProseMirror. Any object with these members will do: kit does not depend
 * on ProseMirror.
 */
export interface EditorSchema {
  /** The nodes and marks that the editor knows, by name. */
  readonly nodes: Readonly<Record<string, unknown>>
  readonly marks: Readonly<Record<string, unknown>>
  /** The node that holds a whole text. */
  readonly topNodeType: { readonly name: string }
  /** Makes a node, or throws if the editor does not know something in it. */
  nodeFromJSON(json: unknown): EditorNode
}

interface EditorNode {
  /** Throws if the node or anything inside of it is not what the schema allows. */
  check(): void
  toJSON(): unknown
}

/** A node of a rich text, as ProseMirror writes it. */
export interface TextNode {
  readonly type: string
  readonly attrs?: Attributes
  readonly content?: readonly TextNode[]
  readonly text?: string
  readonly marks?: readonly TextMark[]
}

export interface TextMark {
  readonly type: string
  readonly attrs?: Attributes
}

export type Attributes = Readonly<Record<string, unknown>>
