import type { CollectionSchema } from "kit/client"
import { lazy, type ReactNode, useEffect, useState } from "react"
import { RecordDrawerContext } from "../../fields/relation/related-drawer.tsx"
import { mayUpload } from "../../fields/upload/use-file-queue.ts"
import { FormStore } from "../../form/form-store.ts"
import type { ResourceSchema } from "../../kit/descriptions.ts"
import { usePerson } from "../../kit/person.ts"
import { keepRecent } from "../../kit/recent-records.ts"
import type { RecordPlace } from "../../kit/record-operations.ts"
import { Failure, Notice } from "../../parts/notice.tsx"
import { newRecordPath, recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import "../../styles/serif.css"
import { takeCarriedForm } from "./actions/carried-forms.ts"
import { emptyValues } from "./actions/new-values.ts"
import { RecordSheet } from "./record-sheet.tsx"
import { RecordSkeleton } from "./record-skeleton.tsx"
import { type RecordRead, useRecord } from "./use-record.ts"

const RecordDrawer = lazy(() => import("./drawer/record-drawer.tsx"))
const UploadScreen = lazy(async () => ({ default: (await import("../upload/upload-screen.tsx")).UploadScreen }))

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
  const read = useRecord(place)
  const [store, setStore] = useState<FormStore>()
  const { schema, error } = read
  useRecentRecord(place, read)
  if (schema?.kind === "collection" && isNewFile(place, schema)) return <UploadScreen schema={schema} />
  if (store === undefined) {
    const opened = schema && openForm({ place, schema, read })
    if (opened) setStore(opened)
  }
  if (store && schema) return <RecordSheet place={place} schema={schema} store={store} read={read} />
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

/** Keeps for the palette that the person has opened the record. */
function useRecentRecord(place: RecordPlace, { record }: RecordRead): void {
  const { id: person } = usePerson()
  const collection = place.kind === "collection" ? place.name : null
  const id = place.kind === "collection" && record ? place.id : null
  useEffect(() => {
    if (collection !== null && id !== null) keepRecent(person, { collection, id })
  }, [person, collection, id])
}

// A record of a file is made by uploading the file.
function isNewFile(place: RecordPlace, schema: CollectionSchema): boolean {
  return place.kind === "collection" && place.id === null && mayUpload(schema)
}

interface Opening {
  readonly place: RecordPlace
  readonly schema: ResourceSchema
  readonly read: RecordRead
}

function openForm({ place, schema, read: { record } }: Opening): FormStore | undefined {
  if (place.kind === "global") return record === undefined ? undefined : new FormStore(record ?? emptyValues(schema))
  if (place.id === null) {
    if (schema.access.operations.create === false || schema.options.upload) return undefined
    return takeCarriedForm(newRecordPath(place.name)) ?? new FormStore(emptyValues(schema))
  }
  const carried = takeCarriedForm(recordPath(place.name, place.id))
  return carried ?? (record ? new FormStore(record) : undefined)
}

function Sheet({ content }: { readonly content: ReactNode }) {
  return <main className="sheet">{content}</main>
}
