import { toggleMark } from "prosemirror-commands"
import type { NodeType, ResolvedPos, Schema } from "prosemirror-model"
import { type Command, type EditorState, Selection } from "prosemirror-state"
import { type BlockTool, blockCommand, depthOf } from "../editing/block-commands.ts"

type MarkTool = "strong" | "em" | "strike" | "code"

/** The tools of a text: kinds of blocks, marks, and what stands between blocks. */
export type Tool = BlockTool | MarkTool | "rule" | "table"

export const MARK_TOOLS = ["strong", "em", "strike", "code"] as const satisfies readonly MarkTool[]
export const BLOCK_TOOLS = [
  "paragraph",
  "heading1",
  "heading2",
  "heading3",
  "heading4",
  "bulletList",
  "orderedList",
  "quote",
  "codeBlock",
] as const satisfies readonly BlockTool[]
export const INSERT_TOOLS = [...BLOCK_TOOLS, "rule", "table"] as const
export const TABLE_TOOLS = ["addRow", "addColumn", "headerRow", "deleteRow", "deleteColumn", "deleteTable"] as const

const NEW_TABLE = { rows: 3, columns: 3 }

/** Returns the command of a tool, or undefined if the vocabulary does not have what it makes. */
export function commandOf(tool: Tool, schema: Schema): Command | undefined {
  const { nodes, marks } = schema
  switch (tool) {
    case "rule":
      return nodes["horizontal_rule"] && insertRule(nodes["horizontal_rule"])
    case "table":
      return nodes["table"] && insertTable
    case "strong":
    case "em":
    case "code":
    case "strike":
      return marks[tool] && toggleMark(marks[tool])
    default:
      return blockCommand(tool, schema)
  }
}

/** Returns whether the cursor or the selection is in a table. */
export function isInTable({ schema, selection: { $from } }: EditorState): boolean {
  const { table } = schema.nodes
  return table !== undefined && depthOf($from, (type) => type === table) !== undefined
}

/** Returns the tools that describe what is selected: its marks, and the kinds of blocks around it. */
export function activeTools(state: EditorState): ReadonlySet<Tool | "link"> {
  const active = new Set<Tool | "link">()
  const { $from, from, to, empty } = state.selection
  for (const [name, type] of Object.entries(state.schema.marks)) {
    const isActive = empty ? type.isInSet(state.storedMarks ?? $from.marks()) : state.doc.rangeHasMark(from, to, type)
    if (isActive) active.add(MARK_NAMES[name] ?? "paragraph")
  }
  active.delete("paragraph")
  const { name } = $from.parent.type
  if (name === "heading") active.add(HEADINGS[$from.parent.attrs["level"]] ?? "heading4")
  else if (name === "code_block") active.add("codeBlock")
  const around = nearest($from)
  if (around) active.add(around)
  if (!active.has("codeBlock") && name === "paragraph" && !around) active.add("paragraph")
  return active
}

const MARK_NAMES: Readonly<Record<string, Tool | "link">> = {
  strong: "strong",
  em: "em",
  code: "code",
  strike: "strike",
  link: "link",
}
const HEADINGS: Readonly<Record<number, Tool>> = { 1: "heading1", 2: "heading2", 3: "heading3", 4: "heading4" }
const AROUND: Readonly<Record<string, Tool>> = {
  bullet_list: "bulletList",
  ordered_list: "orderedList",
  blockquote: "quote",
}

function nearest($place: ResolvedPos): Tool | undefined {
  for (let depth = $place.depth; depth > 0; depth -= 1) {
    const tool = AROUND[$place.node(depth).type.name]
    if (tool) return tool
  }
  return undefined
}

function insertRule(rule: NodeType): Command {
  return (state, dispatch) => {
    const paragraph = state.schema.nodes["paragraph"]
    const tr = state.tr.replaceSelectionWith(rule.create())
    const after = tr.selection.to
    const needsParagraph = paragraph && !tr.doc.resolve(after).nodeAfter && after >= tr.doc.content.size - 1
    if (needsParagraph) tr.insert(tr.doc.content.size, paragraph.create())
    dispatch?.(
      tr.setSelection(Selection.near(tr.doc.resolve(Math.min(after, tr.doc.content.size)), 1)).scrollIntoView(),
    )
    return true
  }
}

const insertTable: Command = (state, dispatch) => {
  const { table, table_row, table_cell, table_header } = state.schema.nodes
  if (!table || !table_row || !table_cell || isInTable(state)) return false
  const rows = Array.from({ length: NEW_TABLE.rows }, (_, row) => {
    const cell = row === 0 && table_header ? table_header : table_cell
    // A cell can be filled, because it holds the blocks that the whole text may have.
    const cells = Array.from({ length: NEW_TABLE.columns }, () => cell.createAndFill()).filter((made) => made !== null)
    return table_row.create(null, cells)
  })
  const tr = state.tr.replaceSelectionWith(table.create(null, rows))
  const start = tr.mapping.map(state.selection.from, -1)
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(start), 1)).scrollIntoView())
  return true
}
