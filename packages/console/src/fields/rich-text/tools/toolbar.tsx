import {
  Bold,
  Code,
  Heading1,
  Heading2,
  Heading3,
  Heading4,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Pilcrow,
  Quote,
  SquareCode,
  Strikethrough,
  Table,
} from "lucide-react"
import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from "react"
import { Toolbar as AriaToolbar } from "react-aria-components/Toolbar"
import { Icon } from "../../../parts/icon.tsx"
import { Menu } from "../../../parts/menu.tsx"
import { useWords } from "../../../words/words.ts"
import type { TextEditor } from "../editing/text-editor.ts"
import { activeTools, BLOCK_TOOLS, commandOf, isInTable, MARK_TOOLS, TABLE_TOOLS, type Tool } from "./commands.ts"
import { LinkForm } from "./link-form.tsx"
import { placeFloating } from "./place-floating.ts"
import { useEditorState } from "./use-editor-state.ts"

const ICONS = {
  paragraph: Pilcrow,
  heading1: Heading1,
  heading2: Heading2,
  heading3: Heading3,
  heading4: Heading4,
  bulletList: List,
  orderedList: ListOrdered,
  quote: Quote,
  codeBlock: SquareCode,
  strong: Bold,
  em: Italic,
  strike: Strikethrough,
  code: Code,
} satisfies { readonly [Name in Tool]?: LucideIcon }

// On touch screens, the device shows its own tools at the selection, so that ours stand above the text.
const isTouch = matchMedia("(pointer: coarse)").matches

/** The tools of the selected text. They float above it; on touch screens they stand above the whole text. */
export function Toolbar({ editor }: { readonly editor: TextEditor }) {
  const words = useWords("parts").richText
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const [isInside, setIsInside] = useState(false)
  const [isLinking, setIsLinking] = useState(false)
  const { from, to, isShown, isTable, isSelected } = useEditorState(editor, shownOf)
  const isVisible = isShown || isInside
  useKey(editor, bar, () => setIsLinking(true))
  useFocusWithin(bar, setIsInside)
  usePlace(editor, bar, isVisible ? `${from} ${to} ${isLinking}` : null)
  useEffect(() => {
    if (!isVisible) setIsLinking(false)
  }, [isVisible])
  if (!isVisible) return null
  const leave = () => {
    setIsLinking(false)
    editor.view.focus()
  }
  return (
    <div ref={setBar} className={isTouch ? "text-tools docked" : "text-tools floating"}>
      {isLinking ? (
        <LinkForm editor={editor} onLeave={leave} />
      ) : (
        <AriaToolbar aria-label={words.tools} className="text-tools-row">
          {(isSelected || isTouch) && <ToolButtons editor={editor} onLink={() => setIsLinking(true)} />}
          {isTable && <TableMenu editor={editor} />}
        </AriaToolbar>
      )}
    </div>
  )
}

function shownOf({ view, settings }: TextEditor) {
  const { from, to, empty } = view.state.selection
  const isTable = settings.tables !== null && isInTable(view.state)
  const hasTools = view.editable && view.hasFocus()
  return { from, to, isTable, isSelected: !empty, isShown: hasTools && (isTouch || !empty || isTable) }
}

interface ToolButtonsProps {
  readonly editor: TextEditor
  readonly onLink: () => void
}

function ToolButtons({ editor, onLink }: ToolButtonsProps) {
  const words = useWords("parts").richText
  const active = useEditorState(editor, ({ view }) => [...activeTools(view.state)])
  const { schema } = editor.view.state
  const tools = [...MARK_TOOLS, ...BLOCK_TOOLS].filter((tool) => commandOf(tool, schema) !== undefined)
  const isMark = (tool: Tool) => MARK_TOOLS.some((mark) => mark === tool)
  const button = (tool: (typeof tools)[number]) => (
    <ToolButton
      key={tool}
      icon={ICONS[tool]}
      label={words.toolNames[tool]}
      isActive={active.includes(tool)}
      onPress={() => editor.run(commandOf(tool, schema) ?? (() => false))}
    />
  )
  return (
    <>
      {tools.filter(isMark).map(button)}
      {schema.marks["link"] && (
        <ToolButton icon={Link} label={words.link} isActive={active.includes("link")} onPress={onLink} />
      )}
      <span className="text-tools-gap" />
      {tools.filter((tool) => !isMark(tool)).map(button)}
    </>
  )
}

interface ToolButtonProps {
  readonly icon: LucideIcon
  readonly label: string
  readonly isActive: boolean
  readonly onPress: () => void
}

function ToolButton({ icon, label, isActive, onPress }: ToolButtonProps) {
  return (
    <button
      type="button"
      className="text-tool"
      title={label}
      aria-label={label}
      aria-pressed={isActive}
      onMouseDown={keepSelection}
      onClick={onPress}
    >
      <Icon of={icon} />
    </button>
  )
}

// The text keeps the focus, and with it the selection.
function keepSelection(event: MouseEvent): void {
  event.preventDefault()
}

function TableMenu({ editor }: { readonly editor: TextEditor }) {
  const words = useWords("parts").richText
  const { tables } = editor.settings
  const items = TABLE_TOOLS.map((id) => ({ id, label: words.toolNames[id], isDanger: id.startsWith("delete") }))
  return (
    <Menu label={words.tableTools} items={items} onAction={(id) => editor.run(tables?.commands[id] ?? (() => false))}>
      <Icon of={Table} />
    </Menu>
  )
}

// Alt+F10 leads from the text to its tools, as in other editors; Escape leads back. Mod+Shift+K opens the link.
function useKey(editor: TextEditor, bar: HTMLElement | null, onLink: () => void): void {
  const link = useRef(onLink)
  useEffect(() => {
    link.current = onLink
  })
  useEffect(() => {
    const { dom } = editor.view
    const press = (event: KeyboardEvent) => {
      const isLink = event.key.toLowerCase() === "k" && event.shiftKey && (event.ctrlKey || event.metaKey)
      if (isLink && bar && editor.view.state.schema.marks["link"]) link.current()
      else if (event.altKey && event.key === "F10") bar?.querySelector("button")?.focus()
      else return
      event.preventDefault()
    }
    dom.addEventListener("keydown", press)
    return () => dom.removeEventListener("keydown", press)
  }, [editor, bar])
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !bar?.contains(document.activeElement)) return
      event.preventDefault()
      event.stopPropagation()
      editor.view.focus()
    }
    addEventListener("keydown", leave, true)
    return () => removeEventListener("keydown", leave, true)
  }, [editor, bar])
}

function useFocusWithin(bar: HTMLElement | null, onChange: (isInside: boolean) => void): void {
  useEffect(() => {
    if (!bar) return undefined
    const enter = () => onChange(true)
    const leave = () => onChange(false)
    bar.addEventListener("focusin", enter)
    bar.addEventListener("focusout", leave)
    return () => {
      bar.removeEventListener("focusin", enter)
      bar.removeEventListener("focusout", leave)
      onChange(false)
    }
  }, [bar, onChange])
}

// Puts the bar above the selection, within the width of the text.
function usePlace(editor: TextEditor, bar: HTMLElement | null, shown: string | null): void {
  useLayoutEffect(() => {
    if (shown === null || isTouch || !bar) return
    const { from, to } = editor.view.state.selection
    const start = editor.view.coordsAtPos(from)
    const end = editor.view.coordsAtPos(to, -1)
    const text = editor.view.dom.getBoundingClientRect()
    const middle = start.top === end.top ? (start.left + end.left) / 2 : text.left + text.width / 2
    const lines = { top: start.top, bottom: end.bottom }
    placeFloating(bar, { lines, left: middle - bar.offsetWidth / 2, prefers: "above" })
  }, [editor, bar, shown])
}
