import { decodeEntities } from "./html-entities.ts"

type ListMarks = "bullets" | "numbers"

interface List {
  readonly marks: ListMarks
  count: number
}

const MAX_INDENTS = 6
const INDENT = "  "

/**
 * Writes plain text piece by piece. Spaces and line breaks are written only between two pieces. Several spaces in a row
 * become one space, and several line breaks become at most one empty line.
 */
export class TextWriter {
  readonly #parts: string[] = []
  readonly #lists: List[] = []
  #breaks = 0
  #hasSpace = false
  #bullet = ""
  #verbatim = false
  #link: { readonly target: string | undefined; readonly start: number } | undefined

  text(raw: string): void {
    if (this.#verbatim) this.#push(decodeEntities(raw.replace(/\r\n?/g, "\n")))
    else this.#flow(raw)
  }

  #flow(raw: string): void {
    const flowing = raw.replace(/[ \t\r\n\f]+/g, " ")
    if (flowing.startsWith(" ")) this.#hasSpace = true
    const words = flowing.trim()
    if (words === "") return
    this.#push(decodeEntities(words))
    this.#hasSpace = flowing.endsWith(" ")
  }

  space(): void {
    this.#hasSpace = true
  }

  line(): void {
    this.#breaks = Math.max(this.#breaks, 1)
  }

  /** Writes the line break of a `<br>` element. Two in a row leave an empty line. */
  lineBreak(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2)
  }

  // Starts a new paragraph, after an empty line. Inside a list, a paragraph starts on a new line without an empty line.
  paragraph(): void {
    this.#breaks = this.#lists.length > 0 ? Math.max(this.#breaks, 1) : 2
  }

  rule(): void {
    this.text("---")
    this.paragraph()
  }

  openList(marks: ListMarks): void {
    this.paragraph()
    this.#lists.push({ marks, count: 0 })
  }

  closeList(): void {
    this.#lists.pop()
    this.#bullet = ""
    this.paragraph()
  }

  item(): void {
    const list = this.#lists.at(-1)
    if (list) list.count += 1
    this.#bullet = list?.marks === "numbers" ? `${list.count}. ` : "- "
  }

  openLink(target: string | undefined): void {
    this.closeLink()
    this.#link = { target, start: this.#parts.length }
  }

  /** Ends a link: writes its target URL in parentheses after the label, unless the target URL equals the label. */
  closeLink(): void {
    const link = this.#link
    this.#link = undefined
    if (link?.target === undefined) return
    const label = this.#parts.slice(link.start).join("").trim()
    if (label === link.target || `mailto:${label}` === link.target) return
    const hasSpaceAfter = this.#hasSpace
    this.#hasSpace = true
    this.#push(label === "" ? link.target : `(${link.target})`)
    this.#hasSpace = hasSpaceAfter
  }

  openVerbatim(): void {
    this.#verbatim = true
  }

  closeVerbatim(): void {
    this.#verbatim = false
  }

  finish(): string {
    this.closeLink()
    const lines = this.#parts.join("").replaceAll("\u00a0", " ").split("\n")
    return lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trim()
  }

  #push(text: string): void {
    this.#parts.push(this.#between(), text)
    this.#breaks = 0
    this.#hasSpace = false
    this.#bullet = ""
  }

  #between(): string {
    const isFirst = this.#parts.length === 0
    if (this.#breaks === 0 && this.#bullet === "") return this.#hasSpace && !isFirst ? " " : ""
    const depth = Math.min(this.#lists.length, MAX_INDENTS) - (this.#bullet === "" ? 0 : 1)
    return (isFirst ? "" : "\n".repeat(this.#breaks)) + INDENT.repeat(Math.max(depth, 0)) + this.#bullet
  }
}
