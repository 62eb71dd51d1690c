import type { TextEditor } from "../editing/text-editor.ts"
import { SlashMenu } from "./slash-menu.tsx"
import { Toolbar } from "./toolbar.tsx"

/** The tools of a text that somebody writes in: those of its selection, and the menu after a slash. */
export function EditorTools({ editor }: { readonly editor: TextEditor }) {
  return (
    <>
      <Toolbar editor={editor} />
      <SlashMenu editor={editor} />
    </>
  )
}
