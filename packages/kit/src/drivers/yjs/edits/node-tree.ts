import * as Y from "yjs"
import { canonicalJson } from "../values/canonical-json.ts"
import { isObject, readJson } from "../values/json-values.ts"
import { readAttributes, readMark, readRuns } from "../values/read-rich-text.ts"
import type { RichTextMark } from "../values/rich-text-node.ts"

/** A node of a rich text, from a document or from a value. Nodes with the same `id` are equal. */
export type TreeNode = ElementNode | TextNode

export interface ElementNode {
  readonly kind: "element"
  readonly id: number
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly children: readonly TreeNode[]
  /** The beginning of its text. */
  readonly summary: string
}

/** A list of neighbouring text nodes: one text of a document. */
export interface TextNode {
  readonly kind: "text"
  readonly id: number
  readonly runs: readonly MarkedText[]
  readonly summary: string
}

/** A piece of text with its marks, by their identities. */
export interface MarkedText {
  readonly text: string
  readonly marks: ReadonlyMap<string, HeldMark>
}

/** A mark, and the key of its format where it comes from a document. */
export interface HeldMark {
  readonly mark: RichTextMark
  readonly key?: string
}

// Longer texts are compared by their beginnings when nodes are paired.
const SUMMARY_LENGTH = 400
// y-prosemirror shows differences between versions with marks and attributes of this name. They are never stored.
const CHANGE_NAME = "ychange"

/** Makes trees of documents and values whose nodes can be compared with each other. */
export class NodeTrees {
  readonly #ids = new Map<string, number>()

  /** Returns the node of a shared element or text; undefined for anything else, which rich text does not have. */
  ofShared(shared: unknown): TreeNode | undefined {
    if (shared instanceof Y.XmlText) return this.#text(readRuns(shared).map(runOfFormats))
    if (!(shared instanceof Y.XmlElement)) return undefined
    const children = shared.toArray().flatMap((child: unknown) => this.ofShared(child) ?? [])
    return this.#element({ name: shared.nodeName, attributes: readAttributes(shared), children })
  }

  /** Returns the nodes of a list of nodes in ProseMirror's format. */
  ofContent(content: readonly unknown[]): TreeNode[] {
    const nodes: TreeNode[] = []
    let runs: MarkedText[] = []
    const endText = () => {
      if (runs.length > 0) nodes.push(this.#text(runs))
      runs = []
    }
    for (const node of content) {
      if (!isObject(node)) throw new Error("Expected a list of nodes.")
      if (node["type"] === "text") {
        runs.push(runOfNode(node))
        continue
      }
      endText()
      nodes.push(this.#ofNode(node))
    }
    endText()
    return nodes
  }

  /** True if two lists of nodes have the same content. */
  areEqual(first: readonly TreeNode[], second: readonly TreeNode[]): boolean {
    return this.#contentIds(first).join() === this.#contentIds(second).join()
  }

  #ofNode({ type, attrs, content }: Readonly<Record<string, unknown>>): TreeNode {
    const attributes = Object.entries(isObject(attrs) ? attrs : {}).filter(
      ([key, value]) => value !== null && value !== undefined && key !== CHANGE_NAME,
    )
    return this.#element({
      name: String(type),
      attributes: Object.fromEntries(attributes),
      children: this.ofContent(Array.isArray(content) ? content : []),
    })
  }

  #text(pieces: readonly MarkedText[]): TextNode {
    const runs = pieces.filter(({ text }) => text !== "")
    const key = JSON.stringify(joinRuns(runs).map(({ text, marks }) => [text, [...marks.keys()].sort()]))
    const summary = runs
      .map(({ text }) => text)
      .join("")
      .slice(0, SUMMARY_LENGTH)
    return { kind: "text", id: this.#idOf(key), runs, summary }
  }

  #element(element: Pick<ElementNode, "name" | "attributes" | "children">): ElementNode {
    const { name, attributes, children } = element
    const key = JSON.stringify([name, canonicalJson(attributes), this.#contentIds(children)])
    const summary = children
      .map((child) => child.summary)
      .join("")
      .slice(0, SUMMARY_LENGTH)
    return { kind: "element", id: this.#idOf(key), ...element, summary }
  }

  // Two texts next to each other, which concurrent edits can make, are equal to one with the text of both.
  #contentIds(children: readonly TreeNode[]): number[] {
    const joined: TreeNode[] = []
    for (const child of children) {
      const last = joined.at(-1)
      if (child.kind !== "text" || last?.kind !== "text") joined.push(child)
      else joined[joined.length - 1] = this.#text([...last.runs, ...child.runs])
    }
    return joined.filter((child) => child.kind === "element" || child.runs.length > 0).map(({ id }) => id)
  }

  #idOf(key: string): number {
    const id = this.#ids.get(key) ?? this.#ids.size
    this.#ids.set(key, id)
    return id
  }
}

function runOfFormats({ text, formats }: { text: string; formats: Readonly<Record<string, unknown>> }): MarkedText {
  const held = Object.entries(formats).map(([key, value]): [string, HeldMark] => {
    const mark = readMark(key, value)
    return [identityOf(mark), { mark, key }]
  })
  return { text, marks: new Map(held) }
}

function runOfNode({ text, marks }: Readonly<Record<string, unknown>>): MarkedText {
  const list = Array.isArray(marks) ? marks : []
  const held = list.filter(isObject).flatMap(({ type, attrs }): [string, HeldMark][] => {
    if (type === CHANGE_NAME) return []
    const value = readJson(isObject(attrs) ? attrs : {}, 0)
    const mark = { type: String(type), ...(isObject(value) && Object.keys(value).length > 0 ? { attrs: value } : {}) }
    return [[identityOf(mark), { mark }]]
  })
  return { text: String(text ?? ""), marks: new Map(held) }
}

function identityOf({ type, attrs = {} }: RichTextMark): string {
  return canonicalJson([type, attrs])
}

function joinRuns(pieces: readonly MarkedText[]): MarkedText[] {
  const runs: MarkedText[] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (last !== undefined && haveSameMarks(last, piece))
      runs[runs.length - 1] = { ...last, text: last.text + piece.text }
    else runs.push(piece)
  }
  return runs
}

function haveSameMarks(first: MarkedText, second: MarkedText): boolean {
  return first.marks.size === second.marks.size && [...first.marks.keys()].every((mark) => second.marks.has(mark))
}
