import type { Node } from "prosemirror-model"
import { Plugin } from "prosemirror-state"
import { Decoration, DecorationSet } from "prosemirror-view"
import type { EditorSchema } from "../schema/editor-schema.ts"
import { editorKeys, type History } from "./editor-keys.ts"
import { markdownRules } from "./input-rules.ts"
import { slashPlugin } from "./slash-plugin.ts"

interface EditorPlugins {
  readonly history: History
  /** Shown in an empty text. */
  readonly placeholder: string
  /** Returns the function that gets the keys while the menu after a slash is open. */
  readonly slashKeys: Parameters<typeof slashPlugin>[0]
}

/** Returns the behaviour of a text while it is written, besides the history of its changes. */
export function editorPlugins({ schema }: EditorSchema, settings: EditorPlugins): readonly Plugin[] {
  return [
    slashPlugin(settings.slashKeys),
    markdownRules(schema),
    ...editorKeys(schema, settings.history),
    placeholderPlugin(settings.placeholder),
  ]
}

function placeholderPlugin(text: string): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc }) =>
        isEmpty(doc)
          ? DecorationSet.create(doc, [
              Decoration.node(0, doc.content.size, { class: "placeholder", "data-text": text }),
            ])
          : null,
    },
  })
}

function isEmpty(doc: Node): boolean {
  return doc.childCount === 1 && doc.firstChild?.isTextblock === true && doc.firstChild.content.size === 0
}
