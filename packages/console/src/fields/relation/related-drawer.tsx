import { Suspense, useContext, useEffect, useState } from "react"
import { RecordDrawerContext, type RecordDrawerProps } from "./drawer-context.ts"

/** A form of a related record, over the form of the record to which it belongs. */
export function RelatedDrawer(props: RecordDrawerProps) {
  const RecordDrawer = useContext(RecordDrawerContext)
  useFocusBack()
  if (RecordDrawer === null) throw new Error("RelatedDrawer is rendered outside of the desk.")
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
