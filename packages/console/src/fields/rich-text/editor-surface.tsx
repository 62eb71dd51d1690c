import { Suspense, useEffect, useRef, useState } from "react"
import { loadable } from "../../parts/loadable.tsx"
import { type Cursor, TextEditor, type TextEditorSettings } from "./editing/text-editor.ts"
import { useEditorState } from "./tools/use-editor-state.ts"
import { WordCount } from "./tools/word-count.tsx"

// The tools are loaded when somebody begins to write.
const EditorTools = loadable(async () => (await import("./tools/editor-tools.tsx")).EditorTools)

interface EditorSurfaceProps {
  /** The settings of the editor. Another object makes another editor. */
  readonly settings: TextEditorSettings
  /** Called with the editor when it is there, and with null when it has gone. */
  readonly onEditor?: (editor: TextEditor | null) => void
}

/** The place of an editor, with its tools and the number of words. */
export function EditorSurface({ settings, onEditor }: EditorSurfaceProps) {
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<TextEditor | null>(null)
  const report = useRef(onEditor)
  // Where the cursor was in the editor before, if it had the focus.
  const left = useRef<Cursor | null>(null)
  useEffect(() => {
    if (!place.current) return undefined
    const made = new TextEditor(place.current, settings)
    if (left.current) made.resume(left.current)
    setEditor(made)
    report.current?.(made)
    return () => {
      left.current = made.cursor()
      made.destroy()
      setEditor(null)
      report.current?.(null)
    }
  }, [settings])
  return (
    <div className="rich-text">
      {editor && <Tools editor={editor} />}
      <div ref={place} className="rich-text-place" />
      {editor && <WordCount editor={editor} />}
    </div>
  )
}

function Tools({ editor }: { readonly editor: TextEditor }) {
  const hasFocus = useEditorState(editor, ({ view }) => view.hasFocus())
  const [isUsed, setIsUsed] = useState(hasFocus)
  useEffect(() => {
    if (hasFocus) setIsUsed(true)
  }, [hasFocus])
  return (
    isUsed && (
      <Suspense>
        <EditorTools editor={editor} />
      </Suspense>
    )
  )
}
