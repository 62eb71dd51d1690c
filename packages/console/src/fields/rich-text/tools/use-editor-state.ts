import { useCallback, useRef, useSyncExternalStore } from "react"
import type { TextEditor } from "../editing/text-editor.ts"

/** Returns what `select` makes of an editor, and renders again only if its JSON has changed. */
export function useEditorState<Selected>(editor: TextEditor, select: (editor: TextEditor) => Selected): Selected {
  const last = useRef<{ readonly selected: Selected; readonly json: string }>(undefined)
  const subscribe = useCallback((listener: () => void) => editor.subscribe(listener), [editor])
  return useSyncExternalStore(subscribe, () => {
    const selected = select(editor)
    const json = JSON.stringify(selected)
    if (last.current?.json !== json) last.current = { selected, json }
    return last.current.selected
  })
}
