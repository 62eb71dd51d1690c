import type { CollaborativeDocument } from "kit/crdt"
import { baseKeymap, lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands"
import { keymap } from "prosemirror-keymap"
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list"
import { type Command, EditorState } from "prosemirror-state"
import { EditorView } from "prosemirror-view"
import { redo, undo, yCursorPlugin, ySyncPlugin, yUndoPlugin } from "y-prosemirror"
import { schema } from "./editor-schema.ts"

const KEYS = {
  "Mod-z": undo,
  "Mod-y": redo,
  "Mod-Shift-z": redo,
  "Mod-b": toggleMark(schema.marks.strong),
  "Mod-i": toggleMark(schema.marks.em),
  Enter: splitListItem(schema.nodes.list_item),
  "Mod-[": liftListItem(schema.nodes.list_item),
  "Mod-]": sinkListItem(schema.nodes.list_item),
}

/** The commands of the toolbar. */
export const COMMANDS = {
  bold: toggleMark(schema.marks.strong),
  italic: toggleMark(schema.marks.em),
  heading: toggleHeading,
  quote: toggleQuote,
  undo,
  redo,
} satisfies Record<string, Command>

export type CommandName = keyof typeof COMMANDS

export interface MountedEditor {
  /** Runs a command of the toolbar, and gives the focus back to the text. */
  run(name: CommandName): void
  unmount(): void
}

interface EditorPlace {
  readonly document: CollaborativeDocument
  readonly field: string
  /** The id of the element that names the text. */
  readonly labelledBy: string
}

/** Shows a ProseMirror editor of a document, with the cursors of other people. */
export function mountEditor(place: HTMLElement, { document, field, labelledBy }: EditorPlace): MountedEditor {
  const plugins = [
    ySyncPlugin(document.doc.getXmlFragment(field)),
    yCursorPlugin(document.awareness),
    // Undoes what this user did, and nothing of the others.
    yUndoPlugin(),
    keymap(KEYS),
    keymap(baseKeymap),
  ]
  const editable = () => document.canEdit
  const view = new EditorView(place, {
    state: EditorState.create({ schema, plugins }),
    editable,
    attributes: { role: "textbox", "aria-multiline": "true", "aria-labelledby": labelledBy },
    // y-prosemirror updates cursors a moment later, when the editor may have been unmounted.
    dispatchTransaction(this: EditorView, transaction) {
      if (!this.isDestroyed) this.updateState(this.state.apply(transaction))
    },
  })
  // The rights of a user may change while the document is open.
  const unsubscribe = document.subscribe(() => view.setProps({ editable }))
  return {
    run: (name) => {
      COMMANDS[name](view.state, view.dispatch)
      view.focus()
    },
    unmount: () => {
      unsubscribe()
      view.destroy()
    },
  }
}

/** A paragraph becomes a heading, and a heading a paragraph again. */
function toggleHeading(...given: Parameters<Command>): boolean {
  const [{ selection }] = given
  const isHeading = selection.$from.parent.type === schema.nodes.heading
  const command = isHeading ? setBlockType(schema.nodes.paragraph) : setBlockType(schema.nodes.heading, { level: 2 })
  return command(...given)
}

/** Makes a quotation of the paragraphs, or takes them out of it again. */
function toggleQuote(...given: Parameters<Command>): boolean {
  const [{ selection }] = given
  const isQuote = selection.$from.node(-1)?.type === schema.nodes.blockquote
  return isQuote ? lift(...given) : wrapIn(schema.nodes.blockquote)(...given)
}
