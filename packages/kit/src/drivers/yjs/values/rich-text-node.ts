/** A node of rich text, in the format of ProseMirror. */
export interface RichTextNode {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly content?: readonly RichTextNode[]
  readonly text?: string
  readonly marks?: readonly RichTextMark[]
}

export interface RichTextMark {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
}
