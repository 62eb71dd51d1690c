import { Plus } from "lucide-react"
import { useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useForm } from "../../../form/form-context.ts"
import type { FieldValues } from "../../../form/form-store.ts"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import type { EditProps } from "../../edit-props.ts"
import { RecordPicker } from "../record-picker.tsx"
import { RelatedDrawer } from "../related-drawer.tsx"
import type { Relation } from "../relation-of.ts"
import { mayUpdate, useNewRecord } from "../use-new-record.ts"
import { type Target, useTarget } from "../use-target.ts"
import { LinkPages, type LinkPaging, useLinkPaging } from "./link-pages.tsx"
import { childValues, mayConnect } from "./link-rights.ts"
import { type LinkActions, LinkRow, type MoveStep } from "./link-row.tsx"
import {
  type LinksEdit,
  linkRows,
  linksEditOf,
  type LinkRow as Row,
  withLink,
  withLinkAt,
  withLinkAtEnd,
  withNewRecord,
  withoutLink,
  withoutNewRecord,
  withoutRemoval,
} from "./links-edit.ts"
import { NewRows } from "./new-rows.tsx"
import { type Links, useLinks } from "./use-links.ts"
import { useRowDrag } from "./use-row-drag.ts"

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
  const { part, relation, target, edit, links, paging, isReadOnly } = props
  const words = useWords("relations")
  const list = useRef<HTMLUListElement>(null)
  const [said, setSaid] = useState("")
  const [edited, setEdited] = useState<string | null>(null)
  const { actions, ...changes } = useLinkChanges(props, setSaid)
  const drag = useRowDrag(list, changes.moveTo)
  const rows = linkRows(links, edit)
  const isPlain = isOfTitlesOnly(target, relation)
  const mayEdit = !isPlain && mayUpdate(target.schema)
  const rowActions = mayEdit ? { ...actions, onEdit: setEdited } : actions
  return (
    <div className="links">
      <ul ref={list} className={isPlain ? "link-list plain" : "link-list"} aria-label={part.label}>
        {rows.map((row) => (
          <LinkRow
            key={row.id}
            row={row}
            face={links.faceOf(row.id)}
            target={target}
            actions={rowActions}
            drag={drag}
          />
        ))}
        <NewRows edit={edit} target={target} onRemove={changes.removeNew} />
      </ul>
      {rows.length === 0 && !edit.create && isReadOnly && <p className="quiet-line">{words.empty}</p>}
      <LinkPages label={part.label} paging={paging} shown={links.ids.length} count={links.count ?? 0} />
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
      {!isReadOnly && <AddLink {...props} rows={rows} changes={changes} onRemove={actions.onRemove} />}
      {edited && (
        <RelatedDrawer collection={target.schema.name} id={edited} via={relation.via} onClose={() => setEdited(null)} />
      )}
    </div>
  )
}

interface AddLinkProps extends LinkListProps {
  readonly rows: readonly Row[]
  readonly changes: Omit<ReturnType<typeof useLinkChanges>, "actions">
  readonly onRemove: LinkActions["onRemove"]
}

/** Adds links: of records that are there by the picker, and of new ones by a drawer. */
function AddLink({ rows, changes, onRemove, ...props }: AddLinkProps) {
  const { part, path, relation, target, inputId, describedBy, isInvalid, onLeave } = props
  const words = useWords("relations")
  const { locale, resource, recordId } = useForm()
  const isNew = resource.kind === "collection" && recordId === null
  const onCreated = ({ id }: { readonly id: string }) => changes.add(id)
  const { create, opened, close } = useNewRecord(target, { locale, onCreated })
  const child = relation.kind === "children" ? childValues(target, relation, recordId) : undefined
  const [isNewChild, setIsNewChild] = useState(false)
  const kept = keptRows(rows)
  const last = kept.at(-1)
  return (
    <>
      {mayConnect(target, relation) && (
        <RecordPicker
          target={target}
          locale={locale}
          label={part.label}
          inputId={inputId}
          describedBy={describedBy}
          isInvalid={isInvalid}
          placeholder={part.placeholder ?? words.add(target.schema.singularLabel)}
          taken={kept}
          onChoose={({ id }) => changes.add(id)}
          onCreate={relation.kind === "links" ? create : undefined}
          onBackspace={() => last && onRemove?.(last)}
          onLeave={onLeave}
        />
      )}
      {opened && (
        <RelatedDrawer
          collection={target.schema.name}
          id={null}
          values={opened.values}
          onSaved={onCreated}
          onClose={close}
        />
      )}
      {child && (
        <span>
          <Button
            {...(!mayConnect(target, relation) && { id: inputId })}
            look="quiet"
            aria-label={`${words.drawer.newOne(target.schema.singularLabel)}: ${part.label}`}
            onPress={() => setIsNewChild(true)}
          >
            <Icon of={Plus} />
            {words.drawer.newOne(target.schema.singularLabel)}
          </Button>
        </span>
      )}
      {isNewChild && (
        <RelatedDrawer
          key={path.join(".")}
          collection={target.schema.name}
          id={null}
          via={relation.via}
          {...(child && !isNew && { values: child })}
          {...(isNew && { onCollected: changes.addNew })}
          onClose={() => setIsNewChild(false)}
        />
      )}
    </>
  )
}

/** Returns what the person may change, as changes of the form's value. */
function useLinkChanges(props: LinkListProps, say: (text: string) => void) {
  const { path, inputId, relation, target, edit, links, isReadOnly, onChange } = props
  const words = useWords("relations")
  const { store } = useForm()
  // Without changes, the field is not edited, whatever the form has started with.
  const write = (changed: LinksEdit | undefined) => (changed ? onChange(changed) : store.discard(path[0]))
  const moveTo = (id: string, at: string) => {
    const changed = withLinkAt(edit, { id, at }, links)
    writeInPlace(() => write(changed))
    const order = keptRows(linkRows(links, changed ?? {}))
    const place = order.indexOf(id) + 1
    say(words.movedTo(links.faceOf(id)?.title ?? words.untitled, place, order.length))
  }
  const move = (id: string, step: MoveStep) => {
    if (step === "start" || step === "end") return writeInPlace(() => write(withLinkAtEnd(edit, id, step)))
    const order = keptRows(linkRows(links, edit))
    const at = order[order.indexOf(id) + (step === "up" ? -1 : 1)]
    if (at) moveTo(id, at)
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
  return {
    actions,
    moveTo,
    add: (id: string) => write(withLink(edit, id, links)),
    addNew: (values: FieldValues) => write(withNewRecord(edit, values)),
    removeNew: (index: number) => write(withoutNewRecord(edit, index)),
  }
}

function keptRows(rows: readonly Row[]): string[] {
  return rows.filter(({ change }) => change !== "removed").map(({ id }) => id)
}

/** Returns whether the records show nothing but titles, so that they can stand beside each other. */
function isOfTitlesOnly({ reading }: Target, { kind, isOrdered }: Relation): boolean {
  return kind === "links" && !isOrdered && !reading.hasPicture && !reading.hasNote
}

// A row that is moved in the page loses the focus.
function writeInPlace(write: () => void): void {
  const focused = document.activeElement
  flushSync(write)
  if (focused instanceof HTMLElement && focused !== document.body) focused.focus()
}
