import type { RefObject } from "react"
import { useScreenKeys } from "../../keys/screen-keys.ts"
import { placeInList } from "../../kit/list-order.ts"
import type { RecordPlace } from "../../kit/record-operations.ts"
import { recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"

interface RecordKeys {
  readonly sheet: RefObject<HTMLElement | null>
  readonly place: RecordPlace
  /** True if the person may move the record to another stage, or cancel its pending transition. */
  readonly mayMove: boolean
}

/** Says which keys a record has: those of its form, its moves, and the records beside it in the list. */
export function useRecordKeys({ sheet, place, mayMove }: RecordKeys): void {
  const words = useWords("keys")
  const beside = besideInList(place)
  const openMoves = () => {
    // The menu stands in the header, and on a phone in the form.
    const menus = [...(sheet.current?.querySelectorAll<HTMLElement>(".stage-place button") ?? [])]
    menus.find((menu) => menu.checkVisibility())?.click()
  }
  useScreenKeys({
    title: words.record,
    lines: [
      { keys: ["⌘S"], text: words.save },
      { keys: ["⌘Enter"], text: words.saveAndBack },
      ...(mayMove ? [{ keys: ["⌘."], text: words.moves }] : []),
      ...(beside
        ? [
            { keys: ["⌥↑"], text: words.previous },
            { keys: ["⌥↓"], text: words.next },
          ]
        : []),
    ],
    openMoves: mayMove ? openMoves : undefined,
    beside,
  })
}

function besideInList(place: RecordPlace) {
  const found = place.kind === "collection" && place.id !== null ? placeInList(place.name, place.id) : null
  if (found === null || place.kind === "global") return undefined
  const addressOf = (id: string | null) => id && recordPath(place.name, id)
  return { previous: addressOf(found.previous), next: addressOf(found.next) }
}
