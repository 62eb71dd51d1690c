import type { CollaborativeDocument } from "kit/crdt"
import { baseKeymap, toggleMark } from "prosemirror-commands"
import { keymap } from "prosemirror-keymap"
import { schema } from "prosemirror-schema-basic"
import { EditorState } from "prosemirror-state"
import { EditorView } from "prosemirror-view"
import { redo, undo, yCursorPlugin, ySyncPlugin, yUndoPlugin } from "y-prosemirror"

const KEYS = {
  "Mod-z": undo,
  "Mod-y": redo,
  "Mod-Shift-z": redo,
  "Mod-b": toggleMark(schema.marks.strong),
  "Mod-i": toggleMark(schema.marks.em),
}

/** Shows a ProseMirror editor of a document, with the cursors of other people. Returns a function that removes it. */
export function mountEditor(place: HTMLElement, document: CollaborativeDocument, field: string): () => void {
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
    attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Text" },
  })
  // The rights of a user may change while the document is open.
  const unsubscribe = document.subscribe(() => view.setProps({ editable }))
  return () => {
    unsubscribe()
    view.destroy()
  }
}
