import { useEffect, useState } from "react"
import { useWords } from "../../../words/words.ts"
import type { TextEditor } from "../editing/text-editor.ts"
import { countWords } from "../schema/text-values.ts"

const PAUSE_MS = 400

/** The number of words. It is counted in a pause, so that no key waits for it. */
export function WordCount({ editor }: { readonly editor: TextEditor }) {
  const words = useWords("parts").richText
  const [count, setCount] = useState(() => countWords(editor.view.state.doc))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = editor.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setCount(countWords(editor.view.state.doc)), PAUSE_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [editor])
  return <span className="word-count number">{count > 0 && words.words(count)}</span>
}
