import { type EditorState, Plugin, PluginKey } from "prosemirror-state"

/** The text that is typed after a slash, and its place. */
export interface SlashQuery {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Takes the keys while the menu is open. Returns whether it has used one. */
type SlashKeys = (event: KeyboardEvent) => boolean

const key = new PluginKey<number | null>("slash")
const QUERY = /(?:^|\s)\/([\p{L}\p{N} ]{0,20})$/u

/** Opens a menu when a slash is typed at the beginning of a word. Escape closes it until the next slash. */
export function slashPlugin(keys: () => SlashKeys | undefined): Plugin {
  return new Plugin<number | null>({
    key,
    state: {
      init: () => null,
      // The place of the slash for which the menu was closed.
      apply: (tr, closed) => tr.getMeta(key) ?? (closed === null ? null : tr.mapping.map(closed)),
    },
    props: {
      handleKeyDown: (view, event) => {
        const query = slashQuery(view.state)
        if (query === null) return false
        if (event.key !== "Escape") return keys()?.(event) ?? false
        view.dispatch(view.state.tr.setMeta(key, query.from))
        return true
      },
    },
  })
}

/** Returns what is typed after the slash before the cursor; null if there is none, or if its menu was closed. */
export function slashQuery(state: EditorState): SlashQuery | null {
  const { $from, empty } = state.selection
  if (!empty || $from.parent.type.spec.code || !$from.parent.isTextblock) return null
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, "\ufffc")
  const text = QUERY.exec(before)?.[1]
  if (text === undefined) return null
  const from = $from.pos - text.length - 1
  return key.getState(state) === from ? null : { from, to: $from.pos, text }
}
