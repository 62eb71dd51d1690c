import type { DOMOutputSpec, MarkSpec, NodeSpec } from "prosemirror-model"
import { isSafeAddress } from "./safe-address.ts"

/** A node that the editor can edit, and the nodes without which it makes no sense. */
interface KnownNode {
  readonly needs?: readonly string[]
  readonly spec: NodeSpec
}

// Six levels are understood, four are offered.
const HEADING_LEVEL_MAX = 4
const TABLE_PARTS = ["table", "table_row", "table_cell"]

/** The nodes that the editor can edit, with the names and attributes of ProseMirror's packages, in the order of a schema. */
export const KNOWN_NODES: Readonly<Record<string, KnownNode>> = {
  paragraph: {
    spec: { content: "inline*", group: "block", parseDOM: [{ tag: "p" }], toDOM: () => ["p", 0] },
  },
  heading: {
    spec: {
      attrs: { level: { default: 1, validate: "number" } },
      content: "inline*",
      group: "block",
      defining: true,
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({
        tag: `h${level}`,
        attrs: { level: Math.min(level, HEADING_LEVEL_MAX) },
      })),
      toDOM: ({ attrs }) => [`h${attrs["level"]}`, 0],
    },
  },
  blockquote: {
    spec: {
      content: "block+",
      group: "block",
      defining: true,
      parseDOM: [{ tag: "blockquote" }],
      toDOM: () => ["blockquote", 0],
    },
  },
  bullet_list: {
    needs: ["list_item"],
    spec: { content: "list_item+", group: "block", parseDOM: [{ tag: "ul" }], toDOM: () => ["ul", 0] },
  },
  ordered_list: {
    needs: ["list_item"],
    spec: {
      attrs: { order: { default: 1, validate: "number" } },
      content: "list_item+",
      group: "block",
      parseDOM: [{ tag: "ol", getAttrs: (list) => ({ order: Number(list.getAttribute("start") ?? 1) }) }],
      toDOM: ({ attrs }) => (attrs["order"] === 1 ? ["ol", 0] : ["ol", { start: attrs["order"] }, 0]),
    },
  },
  list_item: {
    needs: ["paragraph"],
    spec: { content: "paragraph block*", defining: true, parseDOM: [{ tag: "li" }], toDOM: () => ["li", 0] },
  },
  code_block: {
    spec: {
      content: "text*",
      marks: "",
      group: "block",
      code: true,
      defining: true,
      parseDOM: [{ tag: "pre", preserveWhitespace: "full" }],
      toDOM: () => ["pre", { spellcheck: "false" }, ["code", 0]],
    },
  },
  horizontal_rule: { spec: { group: "block", parseDOM: [{ tag: "hr" }], toDOM: () => ["hr"] } },
  // As in prosemirror-tables, whose commands are loaded with the first table.
  table: {
    needs: TABLE_PARTS,
    spec: {
      content: "table_row+",
      tableRole: "table",
      isolating: true,
      group: "block",
      parseDOM: [{ tag: "table" }],
      toDOM: () => ["table", ["tbody", 0]],
    },
  },
  table_row: {
    needs: TABLE_PARTS,
    spec: { content: "table_cells*", tableRole: "row", parseDOM: [{ tag: "tr" }], toDOM: () => ["tr", 0] },
  },
  table_cell: { needs: TABLE_PARTS, spec: cellSpec("td", "cell") },
  table_header: { needs: TABLE_PARTS, spec: cellSpec("th", "header_cell") },
  image: {
    spec: {
      inline: true,
      attrs: { src: { validate: "string" }, alt: { default: null }, title: { default: null } },
      group: "inline",
      draggable: true,
      parseDOM: [{ tag: "img[src]", getAttrs: imageAttributes }],
      toDOM: ({ attrs }) => [
        "img",
        { src: attrs["src"], alt: attrs["alt"] ?? "", title: attrs["title"], loading: "lazy" },
      ],
    },
  },
  hard_break: {
    spec: { inline: true, group: "inline", selectable: false, parseDOM: [{ tag: "br" }], toDOM: () => ["br"] },
  },
}

/** The marks that the editor can set. */
export const KNOWN_MARKS: Readonly<Record<string, MarkSpec>> = {
  link: {
    attrs: { href: { validate: "string" }, title: { default: null } },
    inclusive: false,
    parseDOM: [{ tag: "a[href]", getAttrs: linkAttributes }],
    toDOM: ({ attrs }): DOMOutputSpec => {
      const { href, title } = attrs
      // An address of another kind, which a program has written, is kept but leads nowhere.
      return isSafeAddress(String(href)) ? ["a", { href, title, rel: "noopener noreferrer" }, 0] : ["a", { title }, 0]
    },
  },
  em: { parseDOM: [{ tag: "i" }, { tag: "em" }, { tag: '[data-style*="font-style:italic"]' }], toDOM: () => ["em", 0] },
  strong: {
    parseDOM: [
      { tag: "strong" },
      // Google Docs wraps what it copies in a <b> that means nothing.
      { tag: 'b:not([data-style*="font-weight:normal"])' },
      { tag: '[data-style*="font-weight:bold"]' },
      { tag: '[data-style*="font-weight:700"]' },
    ],
    toDOM: () => ["strong", 0],
  },
  strike: { parseDOM: [{ tag: "s" }, { tag: "del" }, { tag: "strike" }], toDOM: () => ["s", 0] },
  code: { code: true, parseDOM: [{ tag: "code" }], toDOM: () => ["code", { spellcheck: "false" }, 0] },
}

function cellSpec(tag: "td" | "th", tableRole: string): NodeSpec {
  return {
    content: "block+",
    group: "table_cells",
    attrs: { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } },
    tableRole,
    isolating: true,
    parseDOM: [{ tag, getAttrs: (cell) => ({ colspan: spanOf(cell, "colspan"), rowspan: spanOf(cell, "rowspan") }) }],
    toDOM: ({ attrs: { colspan, rowspan } }) => [tag, { colspan, rowspan }, 0],
  }
}

function spanOf(cell: HTMLElement, name: "colspan" | "rowspan"): number {
  return Number(cell.getAttribute(name) ?? 1) || 1
}

function imageAttributes(image: HTMLElement) {
  return { src: image.getAttribute("src"), alt: image.getAttribute("alt"), title: image.getAttribute("title") }
}

// A link that is not safe is pasted as its text.
function linkAttributes(link: HTMLElement) {
  const href = link.getAttribute("href") ?? ""
  return isSafeAddress(href) && { href, title: link.getAttribute("title") }
}
