import type { CollaborativeDocument, EditorSchema } from "kit/crdt"
import { useEffect, useState } from "react"
import { useForm } from "../../form/form-context.ts"
import { crdt } from "../../kit/together/crdt.ts"
import { noteUnsent } from "../../kit/together/shared-texts.ts"

/** The members of a document that are shown, as they were when one of them last changed. */
export type DocumentView = Pick<CollaborativeDocument, "status" | "pending" | "canEdit" | "problem" | "error">

/** A document that is open, and what is shown of its state. */
export interface OpenDocument {
  readonly document: CollaborativeDocument
  readonly view: DocumentView
}

/** Opens the document of a field while the field is shown, and closes it when it goes. */
export function useDocument(field: string, schema?: EditorSchema): OpenDocument | null {
  const { resource, recordId, locale } = useForm()
  const [open, setOpen] = useState<OpenDocument | null>(null)
  const { kind, name } = resource
  // Only a localized field has a document for each locale.
  const documentLocale = resource.fields[field]?.localized ? locale : undefined
  useEffect(() => {
    const options = { field, locale: documentLocale, schema }
    const document =
      kind === "global"
        ? handleOf(crdt.globals, name).document(options)
        : handleOf(crdt.collections, name).document({ ...options, id: recordId ?? "" })
    const address = [kind, name, recordId, field, documentLocale].join("/")
    const show = () => {
      noteUnsent(address, document.pending)
      setOpen({ document, view: viewOf(document) })
    }
    const unsubscribe = document.subscribe(show)
    show()
    return () => {
      unsubscribe()
      document.destroy()
      setOpen(null)
    }
  }, [kind, name, recordId, field, documentLocale, schema])
  return open
}

function viewOf({ status, pending, canEdit, problem, error }: CollaborativeDocument): DocumentView {
  return { status, pending, canEdit, problem, error }
}

/** Opens documents by options that only the description of the resource knows. */
interface DocumentHandle {
  document(options: {
    readonly id?: string
    readonly field: string
    readonly locale: string | undefined
    readonly schema: EditorSchema | undefined
  }): CollaborativeDocument
}

// The client has a handle for every name; its types know only those of a generated app.
function handleOf(handles: object, name: string): DocumentHandle {
  return (handles as Readonly<Record<string, DocumentHandle>>)[name] as DocumentHandle
}
