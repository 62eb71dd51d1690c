import { type LinkWindow, type Move, movedIds, movesBetween } from "./link-order.ts"

interface Target {
  readonly id: string
}

/**
 * The value that a form writes into a relation to many records: only what the person has changed, so that a save leaves all links
 * alone that the person has not seen.
 */
export interface LinksEdit {
  readonly connect?: readonly Target[]
  readonly disconnect?: readonly Target[]
  /** New records, which are created together with the record of the form. */
  readonly create?: readonly Readonly<Record<string, unknown>>[]
  /** Only in a relation with an order. */
  readonly move?: readonly Move[]
}

/** The live links that are shown, in their order on the server. */
export interface ShownLinks extends LinkWindow {
  readonly ids: readonly string[]
}

/** One row of the editor. */
export interface LinkRow {
  readonly id: string
  readonly change: "none" | "added" | "removed" | "moved"
}

/** Reads the value of the form. Anything but an edit of this editor is none. */
export function linksEditOf(value: unknown): LinksEdit {
  // Only this editor writes the value.
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as LinksEdit) : {}
}

/** Returns the edit for the form: undefined if nothing is changed. */
function pruned(edit: LinksEdit): LinksEdit | undefined {
  const changed = Object.entries(edit).filter(([, operations]) => operations.length > 0)
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** Returns the rows that the editor shows: the live links, with the person's changes over them. */
export function linkRows(shown: ShownLinks, edit: LinksEdit): readonly LinkRow[] {
  const added = idsOf(edit.connect).filter((id) => !shown.ids.includes(id))
  const removed = new Set(idsOf(edit.disconnect))
  const moved = new Set(edit.move?.map(({ id }) => id))
  const order = movedIds([...shown.ids, ...(shown.hasEnd ? added : [])], edit.move ?? [], shown)
  const change = (id: string): LinkRow["change"] => {
    if (added.includes(id)) return "added"
    if (removed.has(id)) return "removed"
    return moved.has(id) ? "moved" : "none"
  }
  // Added links are shown on every page.
  const elsewhere = shown.hasEnd ? [] : added.filter((id) => !order.includes(id))
  return [...order, ...elsewhere].map((id) => ({ id, change: change(id) }))
}

/** Adds a link. One that was removed is back again. */
export function withLink(edit: LinksEdit, id: string, shown: ShownLinks): LinksEdit | undefined {
  if (idsOf(edit.disconnect).includes(id)) return withoutRemoval(edit, id)
  if (shown.ids.includes(id) || idsOf(edit.connect).includes(id)) return pruned(edit)
  return pruned({ ...edit, connect: [...(edit.connect ?? []), { id }] })
}

/** Removes a link: one that was added is simply not added any more. */
export function withoutLink(edit: LinksEdit, id: string, shown: ShownLinks): LinksEdit | undefined {
  const isLive = shown.ids.includes(id)
  const wasAdded = idsOf(edit.connect).includes(id)
  const connect = (edit.connect ?? []).filter((target) => target.id !== id)
  const disconnect = wasAdded && !isLive ? (edit.disconnect ?? []) : [...(edit.disconnect ?? []), { id }]
  const remaining = { ...edit, connect, disconnect }
  // No move may name the link, because a move beside a record that is not linked would be refused.
  const wanted = keptIds(linkRows(shown, edit)).filter((kept) => kept !== id)
  return edit.move ? inOrder({ edit: remaining, shown, wanted, gone: id }) : pruned(remaining)
}

/** Takes back the removal of a link. */
export function withoutRemoval(edit: LinksEdit, id: string): LinksEdit | undefined {
  return pruned({ ...edit, disconnect: (edit.disconnect ?? []).filter((target) => target.id !== id) })
}

/** Moves a link to the place of another one that is shown. Those between them make room. */
export function withLinkAt(edit: LinksEdit, change: { id: string; at: string }, shown: ShownLinks) {
  const order = keptIds(linkRows(shown, edit))
  const [from, to] = [order.indexOf(change.id), order.indexOf(change.at)]
  if (from < 0 || to < 0 || from === to) return pruned(edit)
  const wanted = order.toSpliced(from, 1).toSpliced(to, 0, change.id)
  return inOrder({ edit, shown, wanted, moved: change.id })
}

/** Moves a link in front of all others, or behind them, also beyond those that are shown. */
export function withLinkAtEnd(edit: LinksEdit, id: string, to: "start" | "end"): LinksEdit | undefined {
  return pruned({ ...edit, move: [...(edit.move ?? []).filter((move) => move.id !== id), { id, to }] })
}

/** Adds a record that is created together with the record of the form. */
export function withNewRecord(edit: LinksEdit, data: Readonly<Record<string, unknown>>): LinksEdit | undefined {
  return pruned({ ...edit, create: [...(edit.create ?? []), data] })
}

export function withoutNewRecord(edit: LinksEdit, index: number): LinksEdit | undefined {
  return pruned({ ...edit, create: (edit.create ?? []).toSpliced(index, 1) })
}

interface WantedOrder {
  readonly edit: LinksEdit
  readonly shown: ShownLinks
  readonly wanted: readonly string[]
  /** A link that is removed. */
  readonly gone?: string
  /** The link that the person has moved. */
  readonly moved?: string
}

// The moves of the shown links are computed again from the order on the server: they are few, and none depends on a former
// one.
function inOrder({ edit, shown, wanted, gone, moved }: WantedOrder): LinksEdit | undefined {
  const added = idsOf(edit.connect).filter((id) => !shown.ids.includes(id))
  const base = [...shown.ids, ...added].filter((id) => wanted.includes(id))
  const elsewhere = (edit.move ?? []).filter(({ id }) => !wanted.includes(id) && id !== gone)
  return pruned({ ...edit, move: [...elsewhere, ...movesBetween(base, wanted, moved)] })
}

/** Returns the links that are there after a save, in their order. */
export function keptIds(rows: readonly LinkRow[]): string[] {
  return rows.filter(({ change }) => change !== "removed").map(({ id }) => id)
}

function idsOf(targets: readonly Target[] | undefined): string[] {
  return (targets ?? []).map(({ id }) => id)
}
