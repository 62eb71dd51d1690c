import { flushSync } from "react-dom"
import { useForm } from "../../../form/form-context.ts"
import type { FieldValues } from "../../../form/form-store.ts"
import { useWords } from "../../../words/words.ts"
import type { LinkListProps } from "./link-list-props.ts"
import { mayConnect } from "./link-rights.ts"
import type { LinkActions, MoveStep } from "./link-row.tsx"
import {
  keptIds,
  type LinksEdit,
  linkRows,
  linksEditOf,
  withLink,
  withLinkAt,
  withLinkAtEnd,
  withNewRecord,
  withoutLink,
  withoutNewRecord,
  withoutRemoval,
} from "./links-edit.ts"

export type LinkChanges = Omit<ReturnType<typeof useLinkChanges>, "actions">

/** Returns what the person may change, as changes of the form's value. */
export function useLinkChanges(props: LinkListProps, say: (text: string) => void) {
  const { path, inputId, relation, target, links, isReadOnly, onChange } = props
  const words = useWords("relations")
  const { store } = useForm()
  // Without changes, the field is not edited, whatever the form has started with.
  // The value as it is now: several files may be added after each other from one render.
  const current = () => linksEditOf(store.read(path))
  const write = (changed: LinksEdit | undefined) => (changed ? onChange(changed) : store.discard(path[0]))
  const moveTo = (id: string, at: string) => {
    const changed = withLinkAt(current(), { id, at }, links)
    writeInPlace(() => write(changed))
    const order = keptIds(linkRows(links, changed ?? {}))
    const place = order.indexOf(id) + 1
    say(words.movedTo(links.faceOf(id)?.title ?? words.untitled, place, order.length))
  }
  const move = (id: string, step: MoveStep) => {
    if (step === "start" || step === "end") return writeInPlace(() => write(withLinkAtEnd(current(), id, step)))
    const order = keptIds(linkRows(links, current()))
    const at = order[order.indexOf(id) + (step === "up" ? -1 : 1)]
    if (at) moveTo(id, at)
  }
  const remove = (id: string) => {
    write(withoutLink(current(), id, links))
    // The row of a live link stays, struck out. That of an added one is gone, and its button with it.
    if (!links.ids.includes(id)) document.getElementById(inputId)?.focus()
  }
  const mayChange = !isReadOnly && mayConnect(target, relation)
  const actions: LinkActions = {
    ...(mayChange && { onRemove: remove, onKeep: (id: string) => write(withoutRemoval(current(), id)) }),
    ...(mayChange && relation.isOrdered && { onMove: move }),
  }
  return {
    actions,
    moveTo,
    add: (id: string) => write(withLink(current(), id, links)),
    addNew: (values: FieldValues) => write(withNewRecord(current(), values)),
    removeNew: (index: number) => write(withoutNewRecord(current(), index)),
  }
}

// A row that is moved in the page loses the focus.
function writeInPlace(write: () => void): void {
  const focused = document.activeElement
  flushSync(write)
  if (focused instanceof HTMLElement && focused !== document.body) focused.focus()
}
