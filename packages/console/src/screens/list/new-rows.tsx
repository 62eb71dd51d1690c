import type { RefObject } from "react"
import type { FollowedWindow } from "../../kit/list-window/use-list-window.tsx"
import { useWords } from "../../words/words.ts"

interface NewRowsProps {
  readonly followed: FollowedWindow
  readonly grid: RefObject<HTMLDivElement | null>
}

/** Says how many rows wait above, so that nothing moves under the eyes of a person until they ask for it. */
export function NewRows({ followed: { window, state }, grid }: NewRowsProps) {
  const words = useWords("list")
  const { newCount, movedCount } = state
  return (
    <div className="new-rows" role="status">
      {newCount + movedCount > 0 && (
        <button
          type="button"
          onClick={() => {
            window.release()
            grid.current?.scrollTo({ top: 0 })
            grid.current?.focus({ preventScroll: true })
          }}
        >
          {words.waiting(newCount, movedCount)}
        </button>
      )}
    </div>
  )
}
