import type { Node } from "prosemirror-model"
import { type Command, EditorState, type Plugin, TextSelection } from "prosemirror-state"
import { EditorView } from "prosemirror-view"
import type { EditorSchema } from "../schema/editor-schema.ts"
import type { History } from "./editor-keys.ts"
import { editorPlugins } from "./editor-plugins.ts"
import { preparePastedHtml } from "./pasted-html.ts"
import { sealedViews } from "./sealed-view.ts"
import type { TableEditing } from "./table-editing.ts"

export interface TextEditorSettings {
  readonly editorSchema: EditorSchema
  /** The text; undefined if a plugin brings it. */
  readonly doc?: Node | undefined
  readonly history: History
  /** The plugins that bring the text, or keep its history. */
  readonly plugins: readonly Plugin[]
  /** The tools for tables, once a table has been met. */
  readonly tables: TableEditing | null
  /** Called when a table is met, and its tools are not there. */
  readonly onTable: () => void
  readonly placeholder: string
  /** The attributes of the element, such as the id of its label. */
  readonly attributes: Readonly<Record<string, string>>
  readonly canEdit: () => boolean
  /** Called when the text has changed. */
  readonly onChange?: (doc: Node) => void
  readonly onBlur: () => void
}

/** The selection of an editor that has the focus. */
export interface Cursor {
  readonly anchor: number
  readonly head: number
}

/** A ProseMirror editor in the page, and those who follow its state. */
export class TextEditor {
  readonly view: EditorView
  readonly settings: TextEditorSettings
  /** Gets the keys while the menu after a slash is open. */
  slashKeys: ((event: KeyboardEvent) => boolean) | undefined
  readonly #listeners = new Set<() => void>()

  constructor(place: HTMLElement, settings: TextEditorSettings) {
    const { editorSchema, doc, history, plugins, tables, placeholder, attributes, canEdit } = settings
    this.settings = settings
    const { onChange, onBlur } = settings
    const tablePlugins = tables?.plugins() ?? []
    const all = [
      ...plugins,
      ...tablePlugins,
      ...editorPlugins(editorSchema, { history, placeholder, slashKeys: () => this.slashKeys }),
    ]
    const notify = () => this.notify()
    this.view = new EditorView(place, {
      state: EditorState.create({ schema: editorSchema.schema, ...(doc && { doc }), plugins: all }),
      attributes: { role: "textbox", "aria-multiline": "true", class: "prose", ...attributes },
      editable: canEdit,
      nodeViews: sealedViews(editorSchema),
      transformPastedHTML: preparePastedHtml,
      handleDOMEvents: {
        focus: notify,
        blur: () => {
          notify()
          onBlur()
        },
      },
      dispatchTransaction(this: EditorView, transaction) {
        // Plugins may dispatch a moment after the editor has gone.
        if (this.isDestroyed) return
        this.updateState(this.state.apply(transaction))
        if (transaction.docChanged) onChange?.(this.state.doc)
        notify()
      },
    })
  }

  /** Runs a command, and gives the focus back to the text. */
  run(command: Command): void {
    command(this.view.state, this.view.dispatch, this.view)
    this.view.focus()
  }

  /** Returns where the cursor is; null if the editor does not have the focus. */
  cursor(): Cursor | null {
    const { anchor, head } = this.view.state.selection
    return this.view.hasFocus() ? { anchor, head } : null
  }

  /** Goes on where the cursor was in an editor of the same text. */
  resume({ anchor, head }: Cursor): void {
    const { doc, tr } = this.view.state
    const end = doc.content.size
    this.view.dispatch(
      tr.setSelection(TextSelection.between(doc.resolve(Math.min(anchor, end)), doc.resolve(Math.min(head, end)))),
    )
    this.view.focus()
  }

  /** Asks again whether the text can be edited. */
  refresh(): void {
    this.view.setProps({})
    this.notify()
  }

  /** Calls back whenever the text, the selection or the focus has changed. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  notify(): void {
    for (const listener of this.#listeners) listener()
  }

  destroy(): void {
    this.view.destroy()
  }
}
