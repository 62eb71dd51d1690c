import { lazy, Suspense, useEffect, useState } from "react"
import type { RecordDrawerProps } from "./record-drawer.tsx"

// It brings all of a form along, and most visits do without it.
const RecordDrawer = lazy(() => import("./record-drawer.tsx"))

/** A form of a related record, over the form of the record to which it belongs. */
export function RelatedDrawer(props: RecordDrawerProps) {
  useFocusBack()
  return (
    <Suspense>
      <RecordDrawer {...props} />
    </Suspense>
  )
}

/** Gives the focus back to what had it, if it would be lost: after the question whether to leave, nobody else does. */
function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
      })
    },
    [before],
  )
}
