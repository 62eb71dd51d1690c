import type { RefObject } from "react"
import { useScreenKeys } from "../../keys/screen-keys.ts"
import type { RecordPlace } from "../../kit/record-operations.ts"

interface RecordKeysOptions {
  readonly sheet: RefObject<HTMLElement | null>
  readonly place: RecordPlace
  /** True if the person may move the record to another stage, or cancel its pending transition. */
  readonly mayMove: boolean
}

/** Says which keys a record has besides those of its form. */
export function useRecordKeys({ sheet, place, mayMove }: RecordKeysOptions): void {
  const openMoves = () => {
    // The menu stands in the header, and on a phone in the form.
    const menus = [...(sheet.current?.querySelectorAll<HTMLElement>(".stage-place button") ?? [])]
    menus.find((menu) => menu.checkVisibility())?.click()
  }
  useScreenKeys({ kind: "record", place, openMoves: mayMove ? openMoves : undefined })
}
