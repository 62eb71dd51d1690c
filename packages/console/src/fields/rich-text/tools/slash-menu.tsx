import { useEffect, useId, useLayoutEffect, useRef, useState } from "react"
import { useWords } from "../../../words/words.ts"
import { type SlashQuery, slashQuery } from "../editing/slash-plugin.ts"
import type { TextEditor } from "../editing/text-editor.ts"
import { commandOf, INSERT_TOOLS } from "./commands.ts"
import { placeFloating } from "./place-floating.ts"
import { useEditorState } from "./use-editor-state.ts"

/** The menu after a slash: what the line may become, or what may be put in its place. */
export function SlashMenu({ editor }: { readonly editor: TextEditor }) {
  const query = useEditorState(editor, ({ view }) => (view.editable && view.hasFocus() ? slashQuery(view.state) : null))
  return query && <OpenMenu key={query.from} editor={editor} query={query} />
}

interface OpenMenuProps {
  readonly editor: TextEditor
  readonly query: SlashQuery
}

function OpenMenu({ editor, query }: OpenMenuProps) {
  const words = useWords("parts").richText
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [moved, setMoved] = useState(0)
  const { schema } = editor.view.state
  const typed = query.text.toLocaleLowerCase()
  const tools = INSERT_TOOLS.filter(
    (tool) => commandOf(tool, schema) !== undefined && words.toolNames[tool].toLocaleLowerCase().includes(typed),
  )
  const at = Math.min(moved, tools.length - 1)
  const take = (tool: (typeof tools)[number] | undefined) => {
    if (tool === undefined) return false
    editor.view.dispatch(editor.view.state.tr.delete(query.from, query.to))
    editor.run(commandOf(tool, schema) ?? (() => false))
    if (tool === "table") editor.settings.onTable()
    return true
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return event.key === "Enter" || event.key === "Tab" ? take(tools[at]) : false
    setMoved((at + step + tools.length) % tools.length)
    return true
  }
  useEffect(() => {
    editor.slashKeys = tools.length > 0 ? press : undefined
  })
  useEffect(
    () => () => {
      editor.slashKeys = undefined
    },
    [editor],
  )
  useEffect(() => {
    // Screen readers hear of the chosen line while the focus stays in the text.
    const { dom } = editor.view
    dom.setAttribute("aria-controls", id)
    dom.setAttribute("aria-activedescendant", `${id}-${at}`)
    return () => {
      dom.removeAttribute("aria-controls")
      dom.removeAttribute("aria-activedescendant")
    }
  }, [editor, id, at])
  // In every render: a menu with fewer lines stands elsewhere.
  useLayoutEffect(() => {
    const cursor = editor.view.coordsAtPos(query.from)
    if (list.current) placeFloating(list.current, { lines: cursor, left: cursor.left, prefers: "below" })
  })
  if (tools.length === 0) return null
  return (
    <div ref={list} id={id} className="floating slash-menu" role="listbox" aria-label={words.insert}>
      {tools.map((tool, index) => (
        <button
          key={tool}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={index === at ? "menu-item at" : "menu-item"}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(tool)}
        >
          {words.toolNames[tool]}
          <span className="end">{SIGNS[tool]}</span>
        </button>
      ))}
    </div>
  )
}

// The signs that can be typed instead.
const SIGNS: { readonly [Name in (typeof INSERT_TOOLS)[number]]?: string } = {
  heading1: "#",
  heading2: "##",
  heading3: "###",
  heading4: "####",
  bulletList: "-",
  orderedList: "1.",
  quote: ">",
  codeBlock: "```",
  rule: "---",
}
