/** A document in the JSON format of ProseMirror. */
export interface RichText {
  type: "doc"
  content: RichTextNode[]
}

export interface RichTextNode {
  type: string
  attrs?: { [name: string]: unknown } | null
  content?: RichTextNode[]
  marks?: { type: string; attrs?: { [name: string]: unknown } | null }[]
  /** Only in nodes of the type "text". */
  text?: string
}
