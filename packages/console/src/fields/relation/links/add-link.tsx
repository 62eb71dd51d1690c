import { Plus } from "lucide-react"
import { useState } from "react"
import { useForm } from "../../../form/form-context.ts"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import { AddFiles } from "../../upload/add-files.tsx"
import { mayUpload } from "../../upload/use-file-queue.ts"
import { RecordPicker } from "../picker/record-picker.tsx"
import { RelatedDrawer } from "../related-drawer.tsx"
import { useNewRecord } from "../use-new-record.ts"
import type { LinkListProps } from "./link-list-props.ts"
import { childValues, mayConnect } from "./link-rights.ts"
import type { LinkActions } from "./link-row.tsx"
import { keptIds, type LinkRow as Row } from "./links-edit.ts"
import type { LinkChanges } from "./use-link-changes.ts"

interface AddLinkProps extends LinkListProps {
  readonly rows: readonly Row[]
  readonly changes: LinkChanges
  readonly onRemove: LinkActions["onRemove"]
}

/** Adds links: to records that are there by the picker, to new ones by a drawer, and to files by uploading them. */
export function AddLink({ rows, changes, onRemove, ...props }: AddLinkProps) {
  const { part, path, relation, target, inputId, describedBy, isInvalid, onLeave } = props
  const words = useWords("relations")
  const { locale, resource, recordId } = useForm()
  const isNew = resource.kind === "collection" && recordId === null
  const onCreated = ({ id }: { readonly id: string }) => changes.add(id)
  const { create, opened, close } = useNewRecord(target, { locale, onCreated })
  const child = relation.kind === "children" ? childValues(target, relation, recordId) : undefined
  const [isNewChild, setIsNewChild] = useState(false)
  const kept = keptIds(rows)
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
      {mayUpload(target.schema) && mayConnect(target, relation) && (
        <AddFiles schema={target.schema} onStored={({ id }) => changes.add(id)} />
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
