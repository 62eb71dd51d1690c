import { Fragment, type MarkSpec, type Node, type NodeSpec, type Schema } from "prosemirror-model"
import { KNOWN_NODES } from "./known-nodes.ts"
import { eachNode, type TextNode } from "./rich-text-json.ts"

/** The attributes and the content that a node or mark without an editor has in a text. */
interface Observed {
  readonly attributes: ReadonlySet<string>
  readonly children: ReadonlySet<string>
  readonly isInline: boolean
}

type Seen = { attributes: Set<string>; children: Set<string>; isInline: boolean }

/** Looks in a text for everything that has one of these names. */
export function observe(text: TextNode | null, names: ReadonlySet<string>): ReadonlyMap<string, Observed> {
  const observed = new Map<string, Seen>()
  const seen = (name: string) => {
    const known = observed.get(name) ?? { attributes: new Set<string>(), children: new Set<string>(), isInline: false }
    observed.set(name, known)
    return known
  }
  const note = (node: TextNode, parent: TextNode | null) => {
    for (const { type, attrs } of [node, ...(node.marks ?? [])].filter((each) => names.has(each.type))) {
      addAll(seen(type).attributes, Object.keys(attrs ?? {}))
    }
    if (!names.has(node.type)) return
    const about = seen(node.type)
    addAll(about.children, node.content?.map(({ type }) => type) ?? [])
    if (parent?.type === "paragraph" || parent?.type === "heading") about.isInline = true
  }
  if (text) eachNode(text, note)
  return observed
}

function addAll(names: Set<string>, added: readonly string[]): void {
  for (const name of added) names.add(name)
}

const NOTHING: Observed = { attributes: new Set(), children: new Set(), isInline: false }

/**
 * Returns the specification of a node without an editor of its own: it is one piece, which can be moved, copied and
 * deleted, and keeps everything that is in it.
 */
export function sealedNode(name: string, place: number, observed: Observed = NOTHING): NodeSpec {
  const { attributes, isInline } = observed
  const tag = isInline ? "span" : "div"
  return {
    // Names of nodes may have characters that a content expression has not, so sealed nodes are named by groups.
    group: `${isInline ? "inline" : "block"} ${sealedGroup(place)}`,
    inline: isInline,
    atom: true,
    isolating: true,
    selectable: true,
    draggable: true,
    attrs: optionalAttributes(attributes),
    parseDOM: [
      {
        tag: `${tag}[data-sealed="${name}"]`,
        priority: 100,
        getAttrs: (element) => storedIn(element).attrs ?? null,
        getContent: (element, schema) => contentOf(element, schema),
      },
    ],
    toDOM: (node) => [tag, { "data-sealed": name, "data-json": JSON.stringify(node.toJSON()) }],
  }
}

function sealedGroup(place: number): string {
  return `sealed_${place}`
}

/** Returns the content expression for the children that a sealed node has in the text. */
export function sealedContent({ children }: Observed, places: ReadonlyMap<string, number>): string {
  const names = [...children].map((child) => {
    const place = places.get(child)
    return place === undefined ? child : sealedGroup(place)
  })
  return names.length === 0 ? "" : `(${names.join(" | ")})*`
}

/** Returns the specification of a mark without an editor of its own. It stays on the text that has it. */
export function sealedMark(name: string, observed: Observed = NOTHING): MarkSpec {
  return {
    attrs: optionalAttributes(observed.attributes),
    inclusive: false,
    // A text can have several of them, such as two comments.
    excludes: "",
    parseDOM: [
      { tag: `span[data-mark="${name}"]`, priority: 100, getAttrs: (element) => storedIn(element).attrs ?? null },
    ],
    toDOM: (mark) => [
      "span",
      { "data-mark": name, "data-json": JSON.stringify(mark.toJSON()), class: "sealed-mark" },
      0,
    ],
  }
}

export function isKnownNode(name: string, names: ReadonlySet<string>): boolean {
  const known = KNOWN_NODES[name]
  return known !== undefined && (known.needs ?? []).every((needed) => names.has(needed))
}

function optionalAttributes(names: ReadonlySet<string>): NonNullable<NodeSpec["attrs"]> {
  return Object.fromEntries([...names].map((name) => [name, { default: null }]))
}

// A paste may come from anywhere, so that anything else than the JSON of this node is an empty one.
function storedIn(element: HTMLElement): Partial<TextNode> {
  try {
    return Object(JSON.parse(element.dataset["json"] ?? "{}"))
  } catch {
    return {}
  }
}

function contentOf(element: globalThis.Node, schema: Schema): Fragment {
  const { content } = element instanceof HTMLElement ? storedIn(element) : {}
  try {
    return Fragment.fromArray((content ?? []).map((child): Node => schema.nodeFromJSON(child)))
  } catch {
    return Fragment.empty
  }
}
