import type { CollaborativeDocument } from "kit/crdt"
import type { Schema } from "prosemirror-model"
import { EditorState, type Plugin, type PluginView, type Transaction } from "prosemirror-state"
import { ySyncPlugin } from "y-prosemirror"

/** An editor of ProseMirror with the real binding to a shared document, without a page around it. */
export interface HeadlessEditor {
  /** The text that somebody would see, with a line for each block. */
  text(): string
  /** Adds a paragraph at the end, as somebody who types there. */
  type(words: string): void
  /** Runs the last steps that a browser would run after a frame. */
  close(): void
}

/** Binds an editor to a document's field. */
export function openEditor({ doc }: CollaborativeDocument, field: string, schema: Schema): HeadlessEditor {
  const sync: Plugin = ySyncPlugin(doc.getXmlFragment(field))
  // The first rendering dispatches a transaction before the plugin's view exists.
  let bound: PluginView | undefined
  // The members of a view that the binding uses.
  const view = {
    state: EditorState.create({ schema, plugins: [sync] }),
    isDestroyed: false,
    hasFocus: () => false,
    dispatch(transaction: Transaction) {
      const before = view.state
      view.state = before.apply(transaction)
      bound?.update?.(view as never, before)
    },
  }
  bound = sync.spec.view?.(view as never)
  return {
    text: () => view.state.doc.textBetween(0, view.state.doc.content.size, "\n"),
    type: (words) => {
      const paragraph = schema.node("paragraph", null, [schema.text(words)])
      view.dispatch(view.state.tr.insert(view.state.doc.content.size, paragraph))
    },
    close: () => bound?.destroy?.(),
  }
}
