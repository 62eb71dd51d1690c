import { useEffect, useMemo, useState } from "react"
import { redoCommand, undoCommand, ySyncPlugin, yUndoPlugin } from "y-prosemirror"
import { useForm } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import { CurrentText } from "../rich-text/edit.tsx"
import { useTables } from "../rich-text/editing/load-tables.ts"
import type { TextEditor, TextEditorSettings } from "../rich-text/editing/text-editor.ts"
import { EditorSurface } from "../rich-text/editor-surface.tsx"
import { type EditorSchema, editorSchemaFor } from "../rich-text/schema/editor-schema.ts"
import { richTextOf } from "../rich-text/schema/rich-text-json.ts"
import type { TextPart } from "../rich-text/text-part.ts"
import { DocumentState } from "./document-state.tsx"
import { type OpenDocument, useDocument } from "./use-document.ts"

const HISTORY = { undo: undoCommand, redo: redoCommand }

/** Edits a rich text in its document. The document gets the schema of the editor, so that nothing is ever lost. */
export function SharedRichText(text: TextPart) {
  const { part, path } = text
  const { store } = useForm()
  const [value] = useState(() => store.read(path))
  const editorSchema = useMemo(
    () => part.vocabulary && editorSchemaFor(part.vocabulary, richTextOf(value)),
    [part.vocabulary, value],
  )
  if (editorSchema === undefined) return <CurrentText {...text} />
  return <SharedText {...text} editorSchema={editorSchema} value={value} />
}

interface SharedTextProps extends TextPart {
  readonly editorSchema: EditorSchema
  /** The value when the form was opened. */
  readonly value: unknown
}

function SharedText({ editorSchema, value, ...text }: SharedTextProps) {
  const { part, path, attributes } = text
  const [field] = path
  const words = useWords("parts").richText
  const { onLeave } = useForm()
  const open = useDocument(field, editorSchema.schema)
  const { tables, isReady, load } = useTables(value)
  const [editor, setEditor] = useState<TextEditor | null>(null)
  const isThere = useIsThere(open, field) && isReady
  const document = open?.document
  const settings = useMemo((): TextEditorSettings | null => {
    if (!document || !isThere) return null
    return {
      editorSchema,
      history: HISTORY,
      plugins: [ySyncPlugin(document.doc.getXmlFragment(field)), yUndoPlugin()],
      tables,
      onTable: () => load(true),
      placeholder: part.placeholder ?? words.placeholder,
      attributes,
      canEdit: () => document.canEdit,
      onBlur: () => onLeave([field]),
    }
  }, [document, isThere, editorSchema, field, tables, load, part.placeholder, words, attributes, onLeave])
  const canEdit = open?.view.canEdit
  useEffect(() => {
    if (editor && editor.view.editable !== canEdit) editor.refresh()
  }, [editor, canEdit])
  return (
    <>
      {settings ? <EditorSurface settings={settings} onEditor={setEditor} /> : <CurrentText {...text} />}
      {open && <DocumentState view={open.view} />}
    </>
  )
}

// Until the document has arrived, and while it has something that this editor cannot hold, the record's value is shown.
function useIsThere(open: OpenDocument | null, field: string): boolean {
  const [isThere, setIsThere] = useState<OpenDocument["document"] | null>(null)
  if (open === null) return false
  const { document, view } = open
  const hasText = document.doc.getXmlFragment(field).length > 0
  const isRefused = view.problem !== null && !view.canEdit
  const hasArrived = hasText || (view.status === "synced" && !isRefused)
  if (hasArrived && isThere !== document) setIsThere(document)
  return hasArrived || isThere === document
}
