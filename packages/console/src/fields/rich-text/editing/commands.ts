import { chainCommands, lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands"
import type { MarkType, NodeType, ResolvedPos, Schema } from "prosemirror-model"
import { liftListItem, wrapInList } from "prosemirror-schema-list"
import { type Command, type EditorState, Selection, TextSelection } from "prosemirror-state"

/** The tools of a text: kinds of blocks, and marks. */
export type Tool =
  | "paragraph"
  | "heading1"
  | "heading2"
  | "heading3"
  | "heading4"
  | "bulletList"
  | "orderedList"
  | "quote"
  | "codeBlock"
  | "rule"
  | "table"
  | "strong"
  | "em"
  | "code"
  | "strike"

export type TableTool = "addRow" | "addColumn" | "headerRow" | "deleteRow" | "deleteColumn" | "deleteTable"

export const MARK_TOOLS = ["strong", "em", "strike", "code"] as const
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
] as const
export const INSERT_TOOLS = [...BLOCK_TOOLS, "rule", "table"] as const
export const TABLE_TOOLS = ["addRow", "addColumn", "headerRow", "deleteRow", "deleteColumn", "deleteTable"] as const

const LEVELS = { heading1: 1, heading2: 2, heading3: 3, heading4: 4 } as const
const NEW_TABLE = { rows: 3, columns: 3 }

/** Returns the command of a tool, or undefined if the vocabulary does not have what it makes. */
export function commandOf(tool: Tool, { nodes, marks }: Schema): Command | undefined {
  switch (tool) {
    case "paragraph":
      return nodes["paragraph"] && chainCommands(plain(nodes["paragraph"]), leave)
    case "heading1":
    case "heading2":
    case "heading3":
    case "heading4":
      return nodes["heading"] && setBlockType(nodes["heading"], { level: LEVELS[tool] })
    case "bulletList":
      return nodes["bullet_list"] && toggleList(nodes["bullet_list"])
    case "orderedList":
      return nodes["ordered_list"] && toggleList(nodes["ordered_list"])
    case "quote":
      return nodes["blockquote"] && toggleQuote(nodes["blockquote"])
    case "codeBlock":
      return nodes["code_block"] && setBlockType(nodes["code_block"])
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
      return tool satisfies never
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

/** Makes the selection a link, or takes the link away if there is no address. */
export function setLink(type: MarkType, href: string | null): Command {
  return (state, dispatch) => {
    const { from, to } = linkRange(state, type)
    if (from === to) return false
    const tr = state.tr.removeMark(from, to, type)
    dispatch?.(href === null ? tr : tr.addMark(from, to, type.create({ href, title: null })))
    return true
  }
}

/** Returns the address of the link in the selection. */
export function linkAt(state: EditorState): string | null {
  const type = state.schema.marks["link"]
  if (type === undefined) return null
  let href: string | null = null
  const { from, to, empty, $from } = state.selection
  if (empty) return type.isInSet($from.marks())?.attrs["href"] ?? null
  state.doc.nodesBetween(from, to, (node) => {
    href ??= type.isInSet(node.marks)?.attrs["href"] ?? null
  })
  return href
}

// The whole link if the cursor stands in one, otherwise what is selected.
function linkRange(state: EditorState, type: MarkType): { from: number; to: number } {
  const { from, to, empty, $from } = state.selection
  if (!empty) return { from, to }
  let start = from
  let end = from
  $from.parent.forEach((node, offset) => {
    const at = $from.start() + offset
    if (at <= from && from <= at + node.nodeSize && type.isInSet(node.marks)) {
      start = at
      end = at + node.nodeSize
    }
  })
  return { from: start, to: end }
}

/** Begins a paragraph after a quotation, a list, a table or a piece of code, and so leaves it. */
export const leaveBlock: Command = (state, dispatch) => {
  const { $from } = state.selection
  const paragraph = state.schema.nodes["paragraph"]
  if (paragraph === undefined || $from.depth === 0) return false
  const after = $from.after(1)
  const tr = state.tr.insert(after, paragraph.create())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView())
  return true
}

function plain(paragraph: NodeType): Command {
  return setBlockType(paragraph)
}

// Takes the block out of its list or its quotation.
const leave: Command = (state, dispatch) => {
  const item = state.schema.nodes["list_item"]
  return (item ? liftListItem(item)(state, dispatch) : false) || lift(state, dispatch)
}

function toggleList(list: NodeType): Command {
  return (state, dispatch) => {
    const { $from } = state.selection
    const depth = depthOf(
      $from,
      (node) => node === state.schema.nodes["bullet_list"] || node === state.schema.nodes["ordered_list"],
    )
    if (depth === undefined) return wrapInList(list)(state, dispatch)
    if ($from.node(depth).type === list) return leave(state, dispatch)
    dispatch?.(state.tr.setNodeMarkup($from.before(depth), list))
    return true
  }
}

function toggleQuote(quote: NodeType): Command {
  return (state, dispatch) => {
    const isInside = depthOf(state.selection.$from, (node) => node === quote) !== undefined
    return isInside ? lift(state, dispatch) : wrapIn(quote)(state, dispatch)
  }
}

function depthOf($place: ResolvedPos, matches: (type: NodeType) => boolean): number | undefined {
  for (let depth = $place.depth; depth > 0; depth -= 1) if (matches($place.node(depth).type)) return depth
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
