import { GripVertical, X } from "lucide-react"
import { memo, type PointerEvent, useEffect, useMemo, useRef } from "react"
import { useForm } from "../../form/form-context.ts"
import type { Path } from "../../form/path.ts"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { useWords } from "../../words/words.ts"
import type { GroupProps } from "../group/group-props.ts"
import { useStablePath } from "../group/use-selection.ts"
import { Chunks } from "../items/chunks.tsx"
import { dropAt } from "../items/folded-items.tsx"
import { RemovedItem } from "../items/removed-item.tsx"
import { useItemDrag } from "../items/use-item-drag.ts"
import type { FocusRequest, ItemListState } from "../items/use-item-list.ts"

interface PlainItemsProps extends GroupProps {
  /** The label of the list. */
  readonly label: string
  readonly state: ItemListState
  readonly keys: readonly string[]
  readonly isFull: boolean
  readonly onAdd: (index: number) => void
}

/** Items of plain types, one line each. Enter in a text adds the next one. */
export function PlainItems({ part, Part, label, path, state, keys, isFull, onAdd }: PlainItemsProps) {
  const isLocked = useForm().isReadOnly(path[0])
  const listPath = useStablePath(path)
  const place = useRef<HTMLDivElement>(null)
  const { list, focus, removed, restore } = state
  const { drag, start } = useItemDrag(place, list.move)
  const press = (event: KeyboardEvent) => {
    const index = indexOf(event.target, place.current)
    if (index === undefined) return
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (event.altKey && step) list.move(index, index + step)
    else if (event.key === "Enter" && isLine(event.target) && !isFull) onAdd(index + 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const latest = useRef({ drag: start, press })
  useEffect(() => {
    latest.current = { drag: start, press }
  })
  useEffect(() => {
    const keyed = (event: KeyboardEvent) => latest.current.press(event)
    const lines = isLocked ? null : place.current
    lines?.addEventListener("keydown", keyed)
    return () => lines?.removeEventListener("keydown", keyed)
  }, [isLocked])
  const calls = useMemo(
    (): LineCalls => ({ drag: (...given) => latest.current.drag(...given), remove: list.remove }),
    [list],
  )
  return (
    <div className="lines" ref={place} data-items="">
      <Chunks label={label} className="line-list" count={keys.length} isKept={(index) => focus?.index === index}>
        {(index) => (
          <Line
            key={keys[index]}
            part={part}
            Part={Part}
            label={label}
            listPath={listPath}
            index={index}
            count={keys.length}
            isReadOnly={isLocked}
            focus={focus?.index === index ? focus : null}
            drop={dropAt(drag, index, keys.length)}
            calls={calls}
          />
        )}
      </Chunks>
      {removed && <RemovedItem onRestore={restore} />}
    </div>
  )
}

interface LineCalls {
  readonly drag: (event: PointerEvent, index: number) => void
  readonly remove: (index: number) => void
}

interface LineProps extends Omit<GroupProps, "path"> {
  readonly label: string
  readonly listPath: Path
  readonly index: number
  readonly count: number
  readonly isReadOnly: boolean
  readonly focus: FocusRequest | null
  readonly drop: ReturnType<typeof dropAt>
  readonly calls: LineCalls
}

const Line = memo(function LineOfList(props: LineProps) {
  const { part, Part, label, listPath, index, count, isReadOnly, focus, drop, calls } = props
  const words = useWords("parts")
  const place = useRef<HTMLLIElement>(null)
  const path = useStablePath([...listPath, index])
  // The list has the hint and the label; an item is known by its number.
  const numbered = useMemo(() => ({ ...part, label: `${label} ${index + 1}`, description: null }), [part, label, index])
  useEffect(() => {
    if (focus) place.current?.querySelector<HTMLElement>("input, textarea, select, button")?.focus()
  }, [focus])
  return (
    <li
      ref={place}
      className="line"
      aria-posinset={index + 1}
      aria-setsize={count}
      data-item={index}
      data-drop={drop ?? undefined}
    >
      {!isReadOnly && (
        <span className="handle" aria-hidden onPointerDown={(event) => calls.drag(event, index)}>
          <Icon of={GripVertical} />
        </span>
      )}
      <Part part={numbered} path={path} />
      {!isReadOnly && (
        <Button look="icon" aria-label={words.removeItem(`${label} ${index + 1}`)} onPress={() => calls.remove(index)}>
          <Icon of={X} />
        </Button>
      )}
    </li>
  )
})

// The place of the item in which something happens, unless it is an item of another list inside of this one.
function indexOf(target: EventTarget | null, list: HTMLElement | null): number | undefined {
  const item = target instanceof Element ? target.closest<HTMLElement>("[data-item]") : null
  return item && item.closest("[data-items]") === list ? Number(item.dataset["item"]) : undefined
}

function isLine(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.getAttribute("role") !== "combobox"
}
