import type { PartSchema } from "kit/client"
import { ChevronDown, ChevronUp, GripVertical } from "lucide-react"
import {
  type ClipboardEvent,
  type ComponentType,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from "react"
import { type Path, pathText } from "../../form/path.ts"
import { Icon } from "../../parts/icon.tsx"
import { keyText } from "../../parts/key-text.ts"
import { Menu } from "../../parts/menu.tsx"
import { useWords } from "../../words/words.ts"
import type { GroupProps } from "../group/group-props.ts"
import { useProblemCount } from "../group/use-problems.ts"
import { useStablePath } from "../group/use-selection.ts"
import type { FocusRequest } from "./use-item-list.ts"

/** The place of an item, for the parts of it that a list of its type draws. */
export interface ItemPlace extends Pick<GroupProps, "Part"> {
  /** The description of the list's items, or of the list if they differ. */
  readonly part: PartSchema
  /** The path of the item. */
  readonly path: Path
  readonly index: number
}

export type ItemAction = "up" | "down" | "duplicate" | "copy" | "remove"

/** Copies an item, and pastes others after it, by the keys of the browser on its head. */
export interface ItemClipboard {
  readonly onCopy?: (event: ClipboardEvent, index: number) => void
  readonly onPaste?: (event: ClipboardEvent, index: number) => void
}

/** The calls of an item to its list. The object stays the same. */
export interface ItemCalls extends ItemClipboard {
  readonly act: (action: ItemAction, index: number) => void
  readonly fold: (key: string, isOpen: boolean) => void
  readonly drag: (event: PointerEvent, index: number) => void
  /** Called with a key that is pressed on the head of an item. */
  readonly press: (event: KeyboardEvent<HTMLElement>, index: number) => void
}

interface ItemProps extends Omit<ItemPlace, "path"> {
  readonly itemKey: string
  readonly listPath: Path
  readonly count: number
  readonly isOpen: boolean
  readonly isReadOnly: boolean
  readonly focus: FocusRequest | null
  readonly drop: "before" | "after" | "dragged" | null
  readonly actions: readonly ItemAction[]
  readonly calls: ItemCalls
  /** Draws what the head of the folded item says of it. */
  readonly Head: ComponentType<ItemPlace>
  readonly Body: ComponentType<ItemPlace>
}

/** An item of a list: a head that says what it is, and its parts while it is open. */
export const Item = memo(function FoldedItem(props: ItemProps) {
  const { itemKey, listPath, index, count, isOpen, isReadOnly, focus, drop, calls, part, Part, Head, Body } = props
  const words = useWords("parts")
  const id = useId()
  const place = useRef<HTMLLIElement>(null)
  // A menu is made when it may be wanted: a long list would otherwise have hundreds of them.
  const [hasMenu, setHasMenu] = useState(false)
  const path = useStablePath([...listPath, index])
  const problems = useProblemCount(path)
  useFocus(place, focus, isOpen)
  const item = { part, path, Part, index }
  return (
    <li
      ref={place}
      className={isOpen ? "block open" : "block"}
      data-locked={isReadOnly || undefined}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-item={index}
      data-path={pathText(path)}
      data-drop={drop ?? undefined}
    >
      <div className="block-head">
        {!isReadOnly && (
          <span className="handle" aria-hidden onPointerDown={(event) => calls.drag(event, index)}>
            <Icon of={GripVertical} />
          </span>
        )}
        <button
          type="button"
          className="block-fold"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-keyshortcuts={isReadOnly ? undefined : "Alt+ArrowUp Alt+ArrowDown"}
          onPointerEnter={() => setHasMenu(true)}
          onFocus={() => setHasMenu(true)}
          onClick={() => calls.fold(itemKey, !isOpen)}
          onKeyDown={(event) => calls.press(event, index)}
          onCopy={(event) => calls.onCopy?.(event, index)}
          onPaste={(event) => calls.onPaste?.(event, index)}
        >
          <Head {...item} />
          {problems > 0 && <span className="block-problems">{words.problems(problems)}</span>}
        </button>
        {(isOpen || hasMenu) && <ItemMenu {...props} />}
        <span className="fold-mark" aria-hidden>
          <Icon of={isOpen ? ChevronUp : ChevronDown} />
        </span>
      </div>
      {isOpen && (
        <div className="block-body" id={id}>
          <Body {...item} />
        </div>
      )}
    </li>
  )
})

function ItemMenu({ index, count, isReadOnly, actions, calls }: ItemProps) {
  const words = useWords("parts")
  const isPossible = { up: index > 0, down: index < count - 1, duplicate: true, copy: true, remove: true }
  const shown = actions.filter((action) => isPossible[action] && (action === "copy" || !isReadOnly))
  if (shown.length === 0) return null
  const items = shown.map((action) => ({
    id: action,
    label: words.actions[action],
    isDanger: action === "remove",
    ...(KEYS[action] && { end: keyText(KEYS[action]) }),
  }))
  return <Menu label={words.itemActions(index + 1)} items={items} onAction={(action) => calls.act(action, index)} />
}

const KEYS: { readonly [Action in ItemAction]?: string } = { up: "⌥↑", down: "⌥↓", copy: "⌘C" }

// Gives the focus to the item when its list asks for it: to the head, or to the first input of the open item.
function useFocus(place: { readonly current: HTMLElement | null }, focus: FocusRequest | null, isOpen: boolean): void {
  const answered = useRef<FocusRequest | null>(null)
  useEffect(() => {
    if (focus === null || answered.current === focus || (focus.isInside && !isOpen)) return
    answered.current = focus
    const head = place.current?.querySelector<HTMLElement>(".block-fold")
    const input = place.current?.querySelector<HTMLElement>(
      ".block-body :is(input, textarea, select, button, [contenteditable])",
    )
    const target = focus.isInside ? (input ?? head) : head
    target?.focus()
    place.current?.scrollIntoView({ block: "nearest" })
  }, [focus, isOpen, place])
}
