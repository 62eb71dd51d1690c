import { type MarkSpec, type NodeSpec, Schema } from "prosemirror-model"
import { marks, nodes } from "prosemirror-schema-basic"
import { bulletList, listItem, orderedList } from "prosemirror-schema-list"

const lists = {
  bullet_list: { ...bulletList, content: "list_item+", group: "block" },
  ordered_list: { ...orderedList, content: "list_item+", group: "block" },
  list_item: { ...listItem, content: "paragraph block*" },
} satisfies Record<string, NodeSpec>

// The nodes have the names and attributes of prosemirror-tables, without its commands.
const tables = {
  table: {
    content: "table_row+",
    group: "block",
    isolating: true,
    tableRole: "table",
    parseDOM: [{ tag: "table" }],
    toDOM: () => ["table", ["tbody", 0]],
  },
  table_row: {
    content: "(table_cell | table_header)*",
    tableRole: "row",
    parseDOM: [{ tag: "tr" }],
    toDOM: () => ["tr", 0],
  },
  table_cell: cellNode("td", "cell"),
  table_header: cellNode("th", "header_cell"),
} satisfies Record<string, NodeSpec>

const strike: MarkSpec = {
  parseDOM: [{ tag: "s" }, { tag: "del" }, { tag: "strike" }],
  toDOM: () => ["s", 0],
}

/**
 * The schema of the editor, with the default vocabulary of a rich text field. The document gets it, too, so that a text
 * with anything else is read-only here instead of losing it.
 */
export const schema = new Schema({
  nodes: { ...nodes, ...lists, ...tables },
  marks: { ...marks, strike },
})

function cellNode(tag: "td" | "th", tableRole: string): NodeSpec {
  return {
    content: "block+",
    isolating: true,
    tableRole,
    attrs: { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } },
    parseDOM: [{ tag, getAttrs: (cell) => ({ colspan: spanOf(cell, "colspan"), rowspan: spanOf(cell, "rowspan") }) }],
    toDOM: ({ attrs: { colspan, rowspan } }) => [tag, { colspan, rowspan }, 0],
  }
}

function spanOf(cell: HTMLElement, name: "colspan" | "rowspan"): number {
  return Number(cell.getAttribute(name) ?? 1)
}
