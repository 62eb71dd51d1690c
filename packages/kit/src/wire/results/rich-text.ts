/** A document as ProseMirror writes it. */
export interface RichText {
  type: "doc"
  content: RichTextNode[]
}

export interface RichTextNode {
  type: string
  attrs?: { [name: string]: unknown } | null
  content?: RichTextNode[]
  marks?: { type: string; attrs?: { [name: string]: unknown } | null }[]
  /** Of nodes of the type "text" only. */
  text?: string
}
