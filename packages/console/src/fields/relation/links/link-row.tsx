import { GripVertical, Undo2, X } from "lucide-react"
import type { KeyboardEvent } from "react"
import { Link } from "wouter"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { Menu, type MenuItem } from "../../../parts/menu.tsx"
import { recordPath } from "../../../routes.ts"
import { useWords, type Words } from "../../../words/words.ts"
import type { Face } from "../face.ts"
import { FaceMark } from "../record-face.tsx"
import type { Target } from "../use-target.ts"
import type { LinkRow as Row } from "./links-edit.ts"
import type { RowDrag } from "./use-row-drag.ts"

export type MoveStep = "up" | "down" | "start" | "end"

/** The actions that the person may take on links. Something that is missing here is not offered. */
export interface LinkActions {
  readonly onRemove?: (id: string) => void
  readonly onKeep?: (id: string) => void
  readonly onMove?: (id: string, step: MoveStep) => void
  readonly onEdit?: (id: string) => void
}

interface LinkRowProps {
  readonly row: Row
  /** Undefined until it is read, null if the person may not see the record. */
  readonly face: Face | null | undefined
  readonly target: Target
  readonly actions: LinkActions
  readonly drag: RowDrag
}

/** A related record: its title as a link, and what can be done with the link. */
export function LinkRow({ row, face, target, actions, drag }: LinkRowProps) {
  const { id, change } = row
  const words = useWords("relations")
  const title = titleOf(face, words)
  const { onMove } = actions
  const isRemoved = change === "removed"
  // Before the buttons of the row, whose menus open by these keys.
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.altKey ? KEYS[event.key] : undefined
    if (step === undefined || !onMove || isRemoved) return
    event.preventDefault()
    event.stopPropagation()
    onMove(id, step)
  }
  return (
    <li
      className="link-row"
      data-id={id}
      data-change={change}
      data-drag={dragState(drag, id)}
      onKeyDownCapture={onKeyDown}
    >
      {onMove && !isRemoved && (
        <span className="link-handle" aria-hidden {...drag.handleOf(id)}>
          <Icon of={GripVertical} />
        </span>
      )}
      {face && <FaceMark face={face} target={target} />}
      <span className="face-text">
        {face ? <Link href={recordPath(target.schema.name, id)}>{title}</Link> : <span className="none">{title}</span>}
        {face?.note && <small>{face.note}</small>}
      </span>
      {change !== "none" && <span className="link-change">{words[change]}</span>}
      <RowActions id={id} title={title} isRemoved={isRemoved} actions={actions} />
    </li>
  )
}

const KEYS: Readonly<Record<string, MoveStep>> = { ArrowUp: "up", ArrowDown: "down" }

interface RowActionsProps {
  readonly id: string
  readonly title: string
  readonly isRemoved: boolean
  readonly actions: LinkActions
}

function RowActions({ id, title, isRemoved, actions }: RowActionsProps) {
  const words = useWords("relations")
  const { onRemove, onKeep, onMove, onEdit } = actions
  const items: MenuItem<"edit" | MoveStep>[] = [
    ...(onEdit ? [{ id: "edit" as const, label: words.edit(title), group: "" }] : []),
    ...(onMove ? moveItems(words) : []),
  ]
  return (
    <span className="link-actions">
      {items.length > 0 && !isRemoved && (
        <Menu
          label={words.actions(title)}
          items={items}
          onAction={(action) => (action === "edit" ? onEdit?.(id) : onMove?.(id, action))}
        />
      )}
      {onRemove && onKeep && (
        <Button
          look="icon"
          aria-label={isRemoved ? words.undoRemoval(title) : words.remove(title)}
          onPress={() => (isRemoved ? onKeep(id) : onRemove(id))}
        >
          <Icon of={isRemoved ? Undo2 : X} />
        </Button>
      )}
    </span>
  )
}

function moveItems(words: Words["relations"]): MenuItem<MoveStep>[] {
  const group = words.order
  return [
    { id: "up", label: words.moveUp, end: "⌥↑", group },
    { id: "down", label: words.moveDown, end: "⌥↓", group },
    { id: "start", label: words.moveToStart, group },
    { id: "end", label: words.moveToEnd, group },
  ]
}

function dragState({ drag }: RowDrag, id: string): "dragged" | "over" | undefined {
  if (drag?.id === id) return "dragged"
  return drag?.over === id ? "over" : undefined
}

function titleOf(
  face: Face | null | undefined,
  words: { readonly notThere: string; readonly untitled: string },
): string {
  if (face === null) return words.notThere
  return face === undefined ? "" : (face.title ?? words.untitled)
}
