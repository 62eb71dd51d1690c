import type { CollaborativeDocument } from "kit/crdt"
import { baseKeymap, setBlockType, toggleMark, wrapIn } from "prosemirror-commands"
import { keymap } from "prosemirror-keymap"
import { schema } from "prosemirror-schema-basic"
import { type Command, EditorState } from "prosemirror-state"
import { EditorView } from "prosemirror-view"
import { redo, undo, yCursorPlugin, ySyncPlugin, yUndoPlugin } from "y-prosemirror"

const KEYS = {
  "Mod-z": undo,
  "Mod-y": redo,
  "Mod-Shift-z": redo,
  "Mod-b": toggleMark(schema.marks.strong),
  "Mod-i": toggleMark(schema.marks.em),
}

/** The commands of the toolbar. */
export const COMMANDS = {
  bold: toggleMark(schema.marks.strong),
  italic: toggleMark(schema.marks.em),
  heading: turnInto("heading", { level: 2 }),
  quote: wrapIn(schema.nodes.blockquote),
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
  readonly label: string
}

/** Shows a ProseMirror editor of a document, with the cursors of other people. */
export function mountEditor(place: HTMLElement, { document, field, label }: EditorPlace): MountedEditor {
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
    attributes: { role: "textbox", "aria-multiline": "true", "aria-label": label },
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
function turnInto(name: "heading", attributes: object): Command {
  return (state, dispatch) => {
    const isIt = state.selection.$from.parent.type === schema.nodes[name]
    return isIt
      ? setBlockType(schema.nodes.paragraph)(state, dispatch)
      : setBlockType(schema.nodes[name], attributes)(state, dispatch)
  }
}
