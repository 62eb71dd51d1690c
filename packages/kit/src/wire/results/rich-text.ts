/** The names that the nodes and marks of a field's rich texts may have. */
export interface RichTextVocabulary {
  readonly nodes: readonly string[]
  readonly marks: readonly string[]
}

/** A rich text document in ProseMirror's JSON format. */
export interface RichText {
  type: "doc"
  content: RichTextNode[]
}

export interface RichTextNode {
  type: string
  attrs?: { [name: string]: unknown } | null
  content?: RichTextNode[]
  marks?: { type: string; attrs?: { [name: string]: unknown } | null }[]
  /** The text of the node; present only in nodes of the type "text". */
  text?: string
}
