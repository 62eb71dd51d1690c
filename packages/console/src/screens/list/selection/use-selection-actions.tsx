import type { CollectionSchema } from "kit/client"
import { type ReactNode, type RefObject, useState } from "react"
import { Button } from "../../../parts/button.tsx"
import { ModalDialog } from "../../../parts/modal-dialog.tsx"
import { toast } from "../../../parts/toast.tsx"
import { SCREEN_ID } from "../../../shell/screen-id.ts"
import { useWords } from "../../../words/words.ts"
import type { ListState } from "../list-state.ts"
import type { List } from "../use-list.ts"
import { deletable, deleteRecords, purgeRecords, restoreRecords } from "./delete-records.ts"
import type { Selection } from "./selection.ts"

// So many records are deleted only after a question, although they could be restored.
const ASK_ABOVE = 100

export interface SelectionActions {
  /** Deletes what is selected, for good in the trash; null if the person may not. */
  readonly remove: (() => void) | null
  readonly restore: (() => void) | null
  /** The question before something is deleted for good. */
  readonly dialog: ReactNode
}

interface SelectionContext {
  readonly schema: CollectionSchema
  readonly state: ListState
  readonly selection: Selection
  readonly list: List
  readonly grid: RefObject<HTMLElement | null>
}

/** The actions on the selected records. An action on a few that can be undone asks no question. */
export function useSelectionActions({ schema, state, selection, list, grid }: SelectionContext): SelectionActions {
  const words = useWords("list")
  const [isAsking, setAsking] = useState(false)
  const { operations } = schema.access
  const ids = [...selection.ids]
  const isForGood = state.isTrash || !schema.options.softDelete
  const run = async (work: () => Promise<void>) => {
    setAsking(false)
    try {
      await work()
      selection.clear()
      // The button that was pressed has gone away.
      const next = grid.current ?? document.getElementById(SCREEN_ID)
      next?.focus({ preventScroll: true })
    } catch (error) {
      toast({ text: `${words.notDone}. ${error instanceof Error ? error.message : String(error)}` })
    }
  }
  const restore = async (restored: readonly string[]) => {
    list.followed.window.expect(restored)
    await restoreRecords(schema.name, restored)
    toast({ text: words.restored(restored.length) })
  }
  const remove = async () => {
    const allowed = await deletable(schema, ids, state.isTrash)
    const refused = ids.length - allowed.length
    if (state.isTrash) await purgeRecords(schema.name, allowed)
    else await deleteRecords(schema.name, allowed)
    const done = words.deleted(allowed.length)
    const text = refused === 0 ? done : `${done}. ${words.notAllowed(refused)}.`
    toast(
      isForGood || allowed.length === 0
        ? { text }
        : { text, action: { label: words.undo, run: () => void run(() => restore(allowed)) } },
    )
  }
  const mayRemove = ((state.isTrash ? operations.purge : operations.delete) ?? false) !== false
  const mayRestore = state.isTrash && (operations.restore ?? false) !== false
  const titleOf = isForGood ? words.deleteTitle : words.trashTitle
  const title = titleOf(ids.length, schema.singularLabel, schema.label)
  return {
    remove: mayRemove ? () => (isForGood || ids.length > ASK_ABOVE ? setAsking(true) : void run(remove)) : null,
    restore: mayRestore ? () => void run(() => restore(ids)) : null,
    dialog: isAsking && ids.length > 0 && (
      <ModalDialog label={title} onClose={() => setAsking(false)}>
        <h2>{title}</h2>
        <p>{state.isTrash ? words.purgeHint : isForGood ? words.deleteHint : words.trashHint}</p>
        <div className="dialog-actions">
          <Button onPress={() => setAsking(false)}>{words.cancel}</Button>
          <Button look="danger" onPress={() => void run(remove)}>
            {isForGood ? words.purge : words.delete}
          </Button>
        </div>
      </ModalDialog>
    ),
  }
}
