import { history, redo, undo } from "prosemirror-history"
import { useEffect, useMemo, useRef, useState } from "react"
import { useForm } from "../../form/form-context.ts"
import type { Path } from "../../form/path.ts"
import { useWords } from "../../words/words.ts"
import { useTables } from "./editing/load-tables.ts"
import type { TextEditorSettings } from "./editing/text-editor.ts"
import { EditorSurface } from "./editor-surface.tsx"
import { ReadOnlyText } from "./read-only-text.tsx"
import { isLossy, prepareText } from "./schema/prepare-text.ts"
import { textOf } from "./schema/text-values.ts"
import type { TextPart } from "./text-part.ts"

const MAKE_HISTORY = { undo, redo }

/** Edits a rich text that is saved with its record. */
export function RichTextEditor({ part, path, attributes }: TextPart) {
  const words = useWords("parts").richText
  const { store, onLeave } = useForm()
  const { source, take, renew } = useSource(path)
  // A text that gets its tools for tables goes on with what has been written so far.
  const { tables, isReady, load } = useTables(source, renew)
  const prepared = useMemo(() => prepareText(part, source), [part, source])
  const latest = useRef({ path, onLeave })
  useEffect(() => {
    latest.current = { path, onLeave }
  })
  const settings = useMemo((): TextEditorSettings | null => {
    if (isLossy(prepared) || !isReady) return null
    return {
      editorSchema: prepared.editorSchema,
      doc: prepared.document,
      history: MAKE_HISTORY,
      plugins: [history()],
      tables,
      onTable: () => load(true),
      placeholder: part.placeholder ?? words.placeholder,
      attributes,
      canEdit: () => true,
      onChange: (doc) => {
        const value = textOf(doc, prepared.editorSchema)
        take(value)
        store.write(latest.current.path, value)
      },
      onBlur: () => latest.current.onLeave(latest.current.path),
    }
  }, [prepared, isReady, tables, load, part.placeholder, words, attributes, store, take])
  if (settings === null || isLossy(prepared)) {
    return (
      <ReadOnlyText
        value={source}
        label={attributes["aria-labelledby"]}
        note={isLossy(prepared) ? words.lossy(prepared.loss) : ""}
      />
    )
  }
  return <EditorSurface settings={settings} />
}

/**
 * Returns the value from which the editor is made: the one in the form when it was opened, and another one when the form
 * has got it from elsewhere. What the editor itself has written makes no new one.
 */
function useSource(path: Path): Source {
  const { store } = useForm()
  const [source, setSource] = useState(() => store.read(path))
  const own = useRef(source)
  const place = useRef(path)
  useEffect(() => {
    place.current = path
  })
  const [field] = path
  useEffect(
    () =>
      store.subscribe(field, () => {
        const value = store.read(place.current) ?? null
        if (value === own.current || JSON.stringify(value) === JSON.stringify(own.current ?? null)) return
        own.current = value
        setSource(value)
      }),
    [store, field],
  )
  const [calls] = useState(() => ({
    take: (written: unknown) => {
      own.current = written
    },
    renew: () => setSource(own.current),
  }))
  return { source, ...calls }
}

interface Source {
  readonly source: unknown
  /** Notes what the editor itself has written. */
  readonly take: (written: unknown) => void
  /** Makes the editor again, from what it has written. */
  readonly renew: () => void
}
