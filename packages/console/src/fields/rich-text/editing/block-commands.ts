import { chainCommands, lift, setBlockType, wrapIn } from "prosemirror-commands"
import type { NodeType, ResolvedPos, Schema } from "prosemirror-model"
import { liftListItem, wrapInList } from "prosemirror-schema-list"
import { type Command, TextSelection } from "prosemirror-state"

/** The kinds of blocks that a line of text can become. */
export type BlockTool =
  | "paragraph"
  | "heading1"
  | "heading2"
  | "heading3"
  | "heading4"
  | "bulletList"
  | "orderedList"
  | "quote"
  | "codeBlock"

const LEVELS = { heading1: 1, heading2: 2, heading3: 3, heading4: 4 } as const

/** Returns the command that makes a kind of block, or undefined if the vocabulary does not have it. */
export function blockCommand(tool: BlockTool, { nodes }: Schema): Command | undefined {
  switch (tool) {
    case "paragraph":
      return nodes["paragraph"] && chainCommands(setBlockType(nodes["paragraph"]), leave)
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
    default:
      return tool satisfies never
  }
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

/** Returns the depth of the nearest node of a kind around a place; undefined if there is none. */
export function depthOf($place: ResolvedPos, matches: (type: NodeType) => boolean): number | undefined {
  for (let depth = $place.depth; depth > 0; depth -= 1) if (matches($place.node(depth).type)) return depth
  return undefined
}
