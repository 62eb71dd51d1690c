import type { CollectionSchema } from "kit/client"
import { type ReactNode, useCallback, useEffect, useState } from "react"
import { Link } from "wouter"
import { loadEdits } from "../../fields/edits.ts"
import { RecordDrawerContext } from "../../fields/relation/related-drawer.tsx"
import { mayUpload } from "../../fields/upload/use-file-queue.ts"
import { type FormLanguage, languageOf } from "../../form/form-language.ts"
import { FormStore } from "../../form/form-store.ts"
import { useLeaveGuard } from "../../form/use-leave-guard.ts"
import { type ResourceSchema, useAppIndex } from "../../kit/descriptions.ts"
import { useFirstScreenShown } from "../../kit/first-screen.ts"
import { listAddress } from "../../kit/list-order.ts"
import type { RecordPlace } from "../../kit/record-operations.ts"
import { ScreenBoundary } from "../../parts/boundaries.tsx"
import { loadable, loadableScreen } from "../../parts/loadable.tsx"
import { Failure, Notice } from "../../parts/notice.tsx"
import { newRecordPath, ROUTES, recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import "../../styles/serif.css"
import { takeCarriedForm } from "./actions/carried-forms.ts"
import { emptyValues } from "./actions/new-values.ts"
import { useAddressLocale } from "./address-state.ts"
import { RecordSheet } from "./record-sheet.tsx"
import { RecordSkeleton } from "./record-skeleton.tsx"
import { type RecordRead, useRecord } from "./use-record.ts"

const RecordDrawer = loadable(async () => (await import("./drawer/record-drawer.tsx")).default)
const UploadScreen = loadableScreen(async () => (await import("../upload/upload-screen.tsx")).UploadScreen)

interface RecordScreenProps {
  readonly collection: string
  /** Null for a record that is still to be created. */
  readonly id: string | null
}

/** One record as a form. */
export function RecordScreen({ collection, id }: RecordScreenProps) {
  return <LoaderWithDrawer place={{ kind: "collection", name: collection, id }} />
}

/** A global as a form: a record without a list. Its first save creates it. */
export function GlobalScreen({ global }: { readonly global: string }) {
  return <LoaderWithDrawer place={{ kind: "global", name: global }} />
}

function LoaderWithDrawer({ place }: { readonly place: RecordPlace }) {
  return (
    <RecordDrawerContext value={RecordDrawer}>
      <RecordLoader place={place} />
    </RecordDrawerContext>
  )
}

/** Waits for what a form needs. Once the form is shown it stays, whatever becomes of the connection and the session. */
function RecordLoader({ place }: { readonly place: RecordPlace }) {
  const words = useWords("record")
  const index = useAppIndex()
  const [locale, turn] = useAddressLocale()
  const read = useRecord(place, locale)
  const [store, setStore] = useState<FormStore>()
  const { schema, error } = read
  useEffect(() => loadEdits(Object.values(schema?.fields ?? {}).map(({ type }) => type)), [schema])
  useTurnedForm({ place, read, store, setStore })
  useLeaveGuard(useCallback(() => store !== undefined && store.editCount() > 0, [store]))
  useFirstScreenShown(store !== undefined || error !== undefined || read.record === null)
  if (schema?.kind === "collection" && isNewFile(place, schema)) return <UploadScreen schema={schema} />
  if (store === undefined) {
    const language = schema && languageOf(schema, read.readOptions.locale, index)
    const opened = language && openForm({ place, schema, read, language })
    if (opened) setStore(opened)
  }
  if (store && schema) {
    // The form outlives the sheet that draws it.
    return (
      <ScreenBoundary address="" wayBack={<WayBack place={place} />}>
        <RecordSheet place={place} schema={schema} store={store} read={read} onTurn={turn} />
      </ScreenBoundary>
    )
  }
  if (error) return <Sheet content={<Failure title={words.failed} error={error} />} />
  if (schema && place.kind === "collection" && place.id === null) {
    return <Sheet content={<Notice title={words.mayNotCreate(schema.singularLabel)} />} />
  }
  if (read.record === null) {
    return (
      <Sheet
        content={
          <Notice title={words.missing}>
            <p>{words.missingHint}</p>
          </Notice>
        }
      />
    )
  }
  return <RecordSkeleton />
}

// A record of a file is made by uploading the file.
function isNewFile(place: RecordPlace, schema: CollectionSchema): boolean {
  return place.kind === "collection" && place.id === null && mayUpload(schema)
}

interface Opening {
  readonly place: RecordPlace
  readonly schema: ResourceSchema
  readonly read: RecordRead
  readonly language: FormLanguage
}

function openForm({ place, schema, read: { record }, language }: Opening): FormStore | undefined {
  const empty = () => new FormStore(emptyValues(schema), language)
  if (place.kind === "global") {
    return record === undefined ? undefined : record === null ? empty() : new FormStore(record, language)
  }
  if (place.id === null) {
    if (schema.access.operations.create === false || schema.options.upload) return undefined
    return takeCarriedForm(newRecordPath(place.name)) ?? empty()
  }
  const carried = takeCarriedForm(recordPath(place.name, place.id))
  return carried ?? (record ? new FormStore(record, language) : undefined)
}

interface TurnedForm {
  readonly place: RecordPlace
  readonly read: RecordRead
  readonly store: FormStore | undefined
  readonly setStore: (store: FormStore) => void
}

/** Turns the form to the locale of the address, as soon as the record is there in it. Edits stay in their locales. */
function useTurnedForm({ place, read, store, setStore }: TurnedForm): void {
  const index = useAppIndex()
  const { schema, record } = read
  const { locale } = read.readOptions
  const mayBeEmpty = place.kind === "global" || place.id === null
  useEffect(() => {
    if (!store || !schema || store.locale === locale) return
    const values = record ?? (mayBeEmpty ? emptyValues(schema) : null)
    if (values) setStore(store.inLocale(languageOf(schema, locale, index), values))
  }, [store, setStore, schema, locale, record, mayBeEmpty, index])
}

/** The list of the record, or the start for a global. */
function WayBack({ place }: { readonly place: RecordPlace }) {
  const words = useWords("shell")
  return (
    <Link href={place.kind === "collection" ? listAddress(place.name) : ROUTES.home}>
      {place.kind === "collection" ? words.backToList : words.wayBack}
    </Link>
  )
}

function Sheet({ content }: { readonly content: ReactNode }) {
  return <main className="sheet">{content}</main>
}
