import type { MarkType } from "prosemirror-model"
import type { Command, EditorState } from "prosemirror-state"

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
