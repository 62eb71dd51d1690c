import type { CollectionSchema } from "kit/client"
import { ExternalLink } from "lucide-react"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { Link } from "wouter"
import type { RecordDrawerProps } from "../../../fields/relation/related-drawer.tsx"
import { OwnFile } from "../../../fields/upload/own-file.tsx"
import { FormContext, useForm } from "../../../form/form-context.ts"
import { languageOf } from "../../../form/form-language.ts"
import { type FieldValues, FormStore } from "../../../form/form-store.ts"
import { isSameValue } from "../../../form/same-value.ts"
import { useLeaveGuard } from "../../../form/use-leave-guard.ts"
import { useScreenKeys } from "../../../keys/screen-keys.ts"
import { useAppIndex } from "../../../kit/descriptions.ts"
import type { RecordPlace } from "../../../kit/record-operations.ts"
import { Button } from "../../../parts/button.tsx"
import { confirm } from "../../../parts/dialog.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { Failure } from "../../../parts/notice.tsx"
import { recordPath } from "../../../routes.ts"
import { useWords } from "../../../words/words.ts"
import { emptyValues } from "../actions/new-values.ts"
import { FormBody } from "../layout/form-body.tsx"
import { layoutOf } from "../layout/form-layout.ts"
import { ProblemList } from "../saving/problem-list.tsx"
import { useFollowedSnapshots } from "../saving/use-followed-snapshots.ts"
import { useFormKeys } from "../saving/use-form-keys.ts"
import { useHeldFields } from "../saving/use-held-fields.ts"
import { type RecordForm, useRecordForm } from "../saving/use-record-form.ts"
import { problemsInPage } from "../saving/use-validation.ts"
import { useJump } from "../use-jump.ts"
import { type RecordRead, useFallbacks, useRecord } from "../use-record.ts"
import { Drawer } from "./drawer.tsx"

/** A form of a related record, over the form of the record to which it belongs. */
export default function RecordDrawer(props: RecordDrawerProps) {
  const { collection, id, values, onClose } = props
  const words = useWords("record")
  const place = useMemo((): RecordPlace => ({ kind: "collection", name: collection, id }), [collection, id])
  const index = useAppIndex()
  // A related record is edited in the language of the form from which it is opened.
  const read = useRecord(place, useForm().locale)
  const [store, setStore] = useState<FormStore>()
  const { schema, record, error } = read
  if (store === undefined && schema) {
    const language = languageOf(schema, read.readOptions.locale, index)
    const opened =
      id === null
        ? startedForm(new FormStore(emptyValues(schema), language), values)
        : record && new FormStore(record, language)
    if (opened) setStore(opened)
  }
  if (store && schema?.kind === "collection") {
    return <OpenDrawer {...props} place={place} schema={schema} store={store} read={read} />
  }
  return (
    <Drawer title={words.details} onClose={onClose}>
      {error && <Failure title={words.failed} error={error} />}
      {record === null && <p className="quiet-line drawer-line">{words.missingHint}</p>}
    </Drawer>
  )
}

function startedForm(store: FormStore, values: FieldValues = {}): FormStore {
  for (const [field, value] of Object.entries(values)) store.write([field], value)
  return store
}

interface OpenDrawerProps extends RecordDrawerProps {
  readonly place: RecordPlace
  readonly schema: CollectionSchema
  readonly store: FormStore
  readonly read: RecordRead
}

function OpenDrawer({ place, schema, store, read, ...props }: OpenDrawerProps) {
  const { collection, id, via = null, onClose } = props
  const words = useWords("relations")
  const recordWords = useWords("record")
  const sheet = useRef<HTMLDivElement>(null)
  const fallbacks = useFallbacks(place, read)
  const recordForm = useRecordForm({ place, schema, store, read, fallbacks, isLocked: read.isPublicCopy, onTurn: stay })
  const { form, isNew } = recordForm
  const layout = useMemo(() => {
    const isShown = ({ name }: { name: string }) => name !== via && (!isNew || !form.isReadOnly(name))
    return layoutOf(schema, (field) => isShown(field) && (isNew || field.access.read !== false))
  }, [schema, form, isNew, via])
  const [tab, setTab] = useState(0)
  const jump = useJump({ sheet, layout, setTab })
  const [started] = useState(() => store.edits())
  const isDirty = useCallback(
    () => store.editCount() > Object.keys(started).length || !isSameValue(store.edits(), started),
    [store, started],
  )
  useFollowedSnapshots(store, read)
  useHeldFields(store, sheet)
  useLeaveGuard(isDirty)
  const save = useDrawerSave(recordForm, props)
  useFormKeys({ sheet, save, saveAndLeave: save })
  useScreenKeys({ kind: "drawer" })
  useFirstFocus(sheet)
  const close = async () => {
    const { leaveTitle, leaveText } = recordWords
    const isLeaving =
      !isDirty() || (await confirm({ title: leaveTitle, text: leaveText, action: words.drawer.discard, danger: true }))
    if (isLeaving) onClose()
  }
  const action = props.onCollected ? words.drawer.add : isNew ? words.drawer.create : words.drawer.save
  return (
    <Drawer
      title={isNew ? words.drawer.newOne(schema.singularLabel) : schema.singularLabel}
      onClose={() => void close()}
      actions={id !== null && <OwnPage href={recordPath(collection, id)} text={words.drawer.openAlone} />}
    >
      <FormContext value={form}>
        <div className="drawer-form" ref={sheet}>
          <FormBody layout={layout} tab={tab} onTab={setTab}>
            <ProblemList saveState={recordForm.saveState} onJump={jump} />
            <OwnFile schema={schema} record={read.record} />
          </FormBody>
        </div>
        <footer className="drawer-end">
          <Button onPress={() => void close()}>{words.drawer.cancel}</Button>
          <Button look="primary" isDisabled={recordForm.saveState.kind === "saving"} onPress={save}>
            {action}
          </Button>
        </footer>
      </FormContext>
    </Drawer>
  )
}

function OwnPage({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <Link className="button quiet icon-only" href={href} aria-label={text} title={text}>
      <Icon of={ExternalLink} />
    </Link>
  )
}

// Its form has one language.
function stay(): void {}

/** Returns what the drawer's button does: it stores the record, or hands its values to the form below. */
function useDrawerSave({ form, save, isNew }: RecordForm, props: RecordDrawerProps): () => void {
  const words = useWords("record")
  const { onSaved, onCollected, onClose } = props
  const store = async () => {
    const stored = await save()
    if (stored === null) return
    onSaved?.(stored)
    onClose()
  }
  const collect = () => {
    const { store: values, problems, resource: schema, isReadOnly } = form
    const fields = Object.keys(schema.fields).filter((name) => !isReadOnly(name) && name !== props.via)
    const found = fields.flatMap((field) => problemsInPage({ store: values, schema, words }, field))
    problems.setAll(found)
    if (found.length > 0) return
    onCollected?.(values.edits())
    onClose()
  }
  return () => {
    if (isNew && onCollected) collect()
    else void store()
  }
}

/** Puts the focus into the first field, once it is there. */
function useFirstFocus(sheet: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    sheet.current?.querySelector<HTMLElement>("input:not([readonly]), textarea:not([readonly])")?.focus()
  }, [sheet])
}
