import { baseKeymap, chainCommands, exitCode, toggleMark } from "prosemirror-commands"
import { undoInputRule } from "prosemirror-inputrules"
import { keymap } from "prosemirror-keymap"
import type { NodeType, Schema } from "prosemirror-model"
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list"
import type { Command, Plugin } from "prosemirror-state"
import { type BlockTool, blockCommand, leaveBlock } from "./block-commands.ts"

/** How a text is undone: by its own history, or by that of a shared document. */
export interface History {
  readonly undo: Command
  readonly redo: Command
}

const nothing: Command = () => false

/** The keys of a text. */
export function editorKeys(schema: Schema, { undo, redo }: History): readonly Plugin[] {
  const { nodes, marks } = schema
  const item = nodes["list_item"]
  const mark = (name: string) => (marks[name] ? toggleMark(marks[name]) : nothing)
  const tool = (name: BlockTool) => blockCommand(name, schema) ?? nothing
  const keys: Record<string, Command> = {
    "Mod-z": undo,
    "Mod-y": redo,
    "Mod-Shift-z": redo,
    "Mod-b": mark("strong"),
    "Mod-i": mark("em"),
    "Mod-e": mark("code"),
    "Mod-Shift-x": mark("strike"),
    "Mod-Alt-0": tool("paragraph"),
    "Mod-Alt-1": tool("heading1"),
    "Mod-Alt-2": tool("heading2"),
    "Mod-Alt-3": tool("heading3"),
    "Mod-Alt-4": tool("heading4"),
    "Mod-Shift-8": tool("bulletList"),
    "Mod-Shift-7": tool("orderedList"),
    "Mod-Shift-9": tool("quote"),
    "Mod-Shift-Enter": chainCommands(exitCode, leaveBlock),
    Backspace: undoInputRule,
    ...(item && { Enter: splitListItem(item), "Mod-[": liftListItem(item), "Mod-]": sinkListItem(item) }),
    Tab: item ? sinkListItem(item) : nothing,
    "Shift-Tab": item ? liftNested(item) : nothing,
  }
  const line = nodes["hard_break"] && insertBreak(schema)
  return [keymap(line ? { ...keys, "Shift-Enter": line } : keys), keymap(baseKeymap)]
}

// Only out of an inner list: in the outer one, the key leaves the text, as everywhere on the page.
function liftNested(item: NodeType): Command {
  return (state, dispatch) => {
    const { $from } = state.selection
    const depths = [...Array($from.depth).keys()].filter((depth) => $from.node(depth + 1).type === item)
    return depths.length > 1 && liftListItem(item)(state, dispatch)
  }
}

function insertBreak({ nodes }: Schema): Command {
  return chainCommands(exitCode, (state, dispatch) => {
    const line = nodes["hard_break"]?.create()
    if (!line) return false
    dispatch?.(state.tr.replaceSelectionWith(line).scrollIntoView())
    return true
  })
}
