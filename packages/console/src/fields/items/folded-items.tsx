import { type ComponentType, type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react"
import { useForm } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import type { GroupProps } from "../group/group-props.ts"
import { useTroubledItems } from "../group/use-problems.ts"
import { useStablePath } from "../group/use-selection.ts"
import { Chunks } from "./chunks.tsx"
import { Item, type ItemAction, type ItemCalls, type ItemClipboard, type ItemPlace } from "./item.tsx"
import { RemovedItem } from "./removed-item.tsx"
import { type ItemDrag, useItemDrag } from "./use-item-drag.ts"
import type { ItemListState } from "./use-item-list.ts"

interface FoldedItemsProps extends GroupProps {
  /** The label of the list. */
  readonly label: string
  readonly state: ItemListState
  readonly keys: readonly string[]
  readonly actions: readonly ItemAction[]
  /** Does what is not the same for all lists. */
  readonly onAction: (action: "duplicate" | "copy", index: number) => void
  /** Called with keys on the head of an item that the list itself does not know. */
  readonly onKey?: (event: KeyboardEvent<HTMLElement>, index: number) => void
  readonly clipboard?: ItemClipboard
  readonly Head: ComponentType<ItemPlace>
  readonly Body: ComponentType<ItemPlace>
  /** Stands below the items: the way to add one. */
  readonly children?: ReactNode
}

/** The items of a list, each of which can be opened. Several can be open at the same time. */
export function FoldedItems(props: FoldedItemsProps) {
  const { part, Part, label, state, keys, actions, Head, Body, children } = props
  const words = useWords("parts")
  const { isReadOnly } = useForm()
  const path = useStablePath(props.path)
  const place = useRef<HTMLDivElement>(null)
  const { open, fold } = useOpenItems(props)
  const { drag, start } = useItemDrag(place, state.list.move)
  const calls = useCalls(props, { fold, start })
  const { focus, removed } = state
  return (
    <div className="blocks" ref={place} data-items="">
      <Chunks
        label={label}
        className="block-list"
        count={keys.length}
        isKept={(index) => open.has(keys[index] ?? "") || focus?.index === index}
      >
        {(index) => {
          const key = keys[index] ?? ""
          return (
            <Item
              key={key}
              itemKey={key}
              part={part}
              Part={Part}
              listPath={path}
              index={index}
              count={keys.length}
              isOpen={open.has(key)}
              isReadOnly={isReadOnly(path[0])}
              focus={focus?.index === index ? focus : null}
              drop={dropAt(drag, index, keys.length)}
              actions={actions}
              calls={calls}
              Head={Head}
              Body={Body}
            />
          )
        }}
      </Chunks>
      {removed && <RemovedItem onRestore={state.restore} />}
      <div className="visually-hidden" role="status">
        {focus && !focus.isInside && words.place(focus.index + 1, keys.length)}
      </div>
      {children}
    </div>
  )
}

// The keys of the open items. New items are opened, and so are those with problems.
function useOpenItems({ keys, path, state: { focus } }: FoldedItemsProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const troubled = useTroubledItems(path).map((index) => keys[index])
  const wanted = focus?.isInside ? keys[focus.index] : undefined
  const toOpen = [...troubled, wanted].filter((key) => key !== undefined).join(" ")
  useEffect(() => {
    if (toOpen !== "") setOpen((current) => new Set([...current, ...toOpen.split(" ")]))
  }, [toOpen])
  const fold = (key: string, isOpen: boolean) =>
    setOpen((current) => new Set(isOpen ? [...current, key] : [...current].filter((each) => each !== key)))
  return { open, fold }
}

interface Moves {
  readonly fold: ItemCalls["fold"]
  readonly start: ItemCalls["drag"]
}

// The calls are always those of the last render, in an object that stays the same, so that no item renders for them.
function useCalls(props: FoldedItemsProps, { fold, start }: Moves): ItemCalls {
  const { state, onAction, onKey, clipboard } = props
  const { list } = state
  const act = (action: ItemAction, index: number) => {
    if (action === "up") list.move(index, index - 1)
    else if (action === "down") list.move(index, index + 1)
    else if (action === "remove") list.remove(index)
    else onAction(action, index)
  }
  const press = (event: KeyboardEvent<HTMLElement>, index: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) {
      onKey?.(event, index)
      return
    }
    event.preventDefault()
    event.stopPropagation()
    if (event.altKey) list.move(index, index + step)
    else focusHead(event.currentTarget, index + step)
  }
  const newest = { act, fold, drag: start, press, ...clipboard }
  const current = useRef<ItemCalls>(newest)
  useEffect(() => {
    current.current = newest
  })
  return useMemo(
    () => ({
      act: (...given) => current.current.act(...given),
      fold: (...given) => current.current.fold(...given),
      drag: (...given) => current.current.drag(...given),
      press: (...given) => current.current.press(...given),
      onCopy: (...given) => current.current.onCopy?.(...given),
      onPaste: (...given) => current.current.onPaste?.(...given),
    }),
    [],
  )
}

function focusHead(from: HTMLElement, index: number): void {
  const heads = from
    .closest("[data-items]")
    ?.querySelectorAll<HTMLElement>(`[data-item="${index}"] > .block-head > .block-fold`)
  // A list inside of an item has places with the same numbers.
  const list = from.closest("[data-items]")
  for (const head of heads ?? []) if (head.closest("[data-items]") === list) head.focus()
}

/** Returns how an item looks while an item of its list is dragged. */
export function dropAt(drag: ItemDrag | null, index: number, count: number): "before" | "after" | "dragged" | null {
  if (drag === null) return null
  if (drag.from === index) return "dragged"
  if (drag.before === index) return "before"
  return drag.before === count && index === count - 1 ? "after" : null
}
