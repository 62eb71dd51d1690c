import { useRef, useState } from "react"
import { useWords } from "../../../words/words.ts"
import { RelatedDrawer } from "../related-drawer.tsx"
import type { Relation } from "../relation-of.ts"
import { mayUpdate } from "../use-new-record.ts"
import { type Target, useTarget } from "../use-target.ts"
import { AddLink } from "./add-link.tsx"
import type { LinkListProps, ToManyProps } from "./link-list-props.ts"
import { LinkPages, useLinkPaging } from "./link-pages.tsx"
import { LinkRow } from "./link-row.tsx"
import { linkRows, linksEditOf } from "./links-edit.ts"
import { NewRows } from "./new-rows.tsx"
import { useLinkChanges } from "./use-link-changes.ts"
import { useLinks } from "./use-links.ts"
import { useRowDrag } from "./use-row-drag.ts"

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

/** Returns whether the records show nothing but titles, so that they can stand beside each other. */
function isOfTitlesOnly({ reading }: Target, { kind, isOrdered }: Relation): boolean {
  return kind === "links" && !isOrdered && !reading.hasPicture && !reading.hasNote
}
