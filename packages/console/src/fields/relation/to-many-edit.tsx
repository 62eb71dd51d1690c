import { useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useForm } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"
import { LinkPages, type LinkPaging, useLinkPaging } from "./link-pages.tsx"
import { type LinkActions, LinkRow, type MoveStep } from "./link-row.tsx"
import {
  type LinksEdit,
  linkRows,
  linksEditOf,
  withLink,
  withLinkAt,
  withLinkAtEnd,
  withoutLink,
  withoutRemoval,
} from "./links-edit.ts"
import { RecordPicker } from "./record-picker.tsx"
import type { Relation } from "./relation-of.ts"
import { type Links, useLinks } from "./use-links.ts"
import { useRowDrag } from "./use-row-drag.ts"
import { type Target, useTarget } from "./use-target.ts"

interface ToManyProps extends EditProps {
  readonly relation: Relation
  /** The related collection, which the person may read. */
  readonly collection: string
}

/** Edits the links of a record to many others: the live links, with the person's changes over them until they are saved. */
export function ToManyEdit(props: ToManyProps) {
  const { value, path, relation, collection } = props
  const words = useWords("relations")
  const target = useTarget(collection, relation.via)
  const edit = linksEditOf(value)
  const paging = useLinkPaging()
  const links = useLinks(path[0], target, { edit, page: paging.page })
  if (links.error && links.count === undefined) return <p className="quiet-line">{words.failed}</p>
  if (target === undefined || links.count === undefined) return <p className="quiet-line" aria-busy="true" />
  return <LinkList {...props} target={target} edit={edit} links={links} paging={paging} />
}

interface LinkListProps extends ToManyProps {
  readonly target: Target
  readonly edit: LinksEdit
  readonly links: Links
  readonly paging: LinkPaging
}

function LinkList(props: LinkListProps) {
  const { part, inputId, relation, target, edit, links, paging, isReadOnly } = props
  const words = useWords("relations")
  const { locale } = useForm()
  const list = useRef<HTMLUListElement>(null)
  const [said, setSaid] = useState("")
  const rows = linkRows(links, edit)
  const { actions, add, moveTo } = useLinkChanges(props, setSaid)
  const drag = useRowDrag(list, moveTo)
  const { reading } = target
  const isPlain = !relation.isOrdered && !reading.hasPicture && !reading.hasNote && relation.kind === "links"
  const kept = rows.filter(({ change }) => change !== "removed").map(({ id }) => id)
  const last = kept.at(-1)
  return (
    <div className="links">
      <ul ref={list} className={isPlain ? "link-list plain" : "link-list"} aria-label={part.label}>
        {rows.map((row) => (
          <LinkRow key={row.id} row={row} face={links.faceOf(row.id)} target={target} actions={actions} drag={drag} />
        ))}
      </ul>
      {rows.length === 0 && isReadOnly && <p className="quiet-line">{words.empty}</p>}
      <LinkPages label={part.label} paging={paging} shown={links.ids.length} count={links.count ?? 0} />
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
      {!isReadOnly && mayConnect(target, relation) && (
        <RecordPicker
          target={target}
          locale={locale}
          label={part.label}
          inputId={inputId}
          describedBy={props.describedBy}
          isInvalid={props.isInvalid}
          placeholder={part.placeholder ?? words.add(target.schema.singularLabel)}
          taken={kept}
          onChoose={({ id }) => add(id)}
          onBackspace={() => last && actions.onRemove?.(last)}
          onLeave={props.onLeave}
        />
      )}
    </div>
  )
}

/** Returns what the person may change, as changes of the form's value. */
function useLinkChanges(props: LinkListProps, say: (text: string) => void) {
  const { inputId, relation, target, edit, links, isReadOnly, onChange } = props
  const words = useWords("relations")
  const write = (changed: LinksEdit | undefined) => onChange(changed)
  const moveTo = (id: string, at: string) => {
    const changed = withLinkAt(edit, { id, at }, links)
    writeInPlace(() => write(changed))
    const order = linkRows(links, changed ?? {}).filter(({ change }) => change !== "removed")
    const place = order.findIndex((row) => row.id === id) + 1
    say(words.movedTo(links.faceOf(id)?.title ?? words.untitled, place, order.length))
  }
  const move = (id: string, step: MoveStep) => {
    if (step === "start" || step === "end") return writeInPlace(() => write(withLinkAtEnd(edit, id, step)))
    const order = linkRows(links, edit).filter(({ change }) => change !== "removed")
    const at = order[order.findIndex((row) => row.id === id) + (step === "up" ? -1 : 1)]
    if (at) moveTo(id, at.id)
  }
  const remove = (id: string) => {
    write(withoutLink(edit, id, links))
    // The row of a live link stays, struck out. That of an added one is gone, and its button with it.
    if (!links.ids.includes(id)) document.getElementById(inputId)?.focus()
  }
  const mayChange = !isReadOnly && mayConnect(target, relation)
  const actions: LinkActions = {
    ...(mayChange && { onRemove: remove, onKeep: (id: string) => write(withoutRemoval(edit, id)) }),
    ...(mayChange && relation.isOrdered && { onMove: move }),
  }
  return { actions, moveTo, add: (id: string) => write(withLink(edit, id, links)) }
}

// A row that is moved in the page loses the focus.
function writeInPlace(write: () => void): void {
  const focused = document.activeElement
  flushSync(write)
  if (focused instanceof HTMLElement && focused !== document.body) focused.focus()
}

/**
 * Returns whether records may be connected and disconnected. A child is: its reference to the record is written, so that
 * the person needs the right to do so, and a child that has to have a parent is not taken from another one.
 */
function mayConnect({ schema }: Target, { kind, via }: Relation): boolean {
  if (kind !== "children") return true
  const reference = via === null ? undefined : schema.fields[via]
  const mayUpdate = schema.access.operations.update
  if (reference === undefined || reference.required || mayUpdate === undefined) return false
  return mayUpdate !== false && reference.access.update !== false
}
