import { useEffect } from "react"
import { confirm } from "../parts/dialog.tsx"
import { useWords } from "../words/words.ts"
import { addLeaveGuard } from "./leaving.ts"

/** Asks before the person leaves a form with unsaved changes: by a link, by Back, by closing the page. */
export function useLeaveGuard(isDirty: () => boolean): void {
  const { leaveTitle, leaveText, leave } = useWords("record")
  useEffect(
    () =>
      addLeaveGuard({
        isDirty,
        ask: () => confirm({ title: leaveTitle, text: leaveText, action: leave, danger: true }),
      }),
    [isDirty, leaveTitle, leaveText, leave],
  )
}
