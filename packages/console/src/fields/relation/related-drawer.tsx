import { lazy, Suspense } from "react"
import type { RecordDrawerProps } from "./record-drawer.tsx"

// It brings all of a form along, and most visits do without it.
const RecordDrawer = lazy(() => import("./record-drawer.tsx"))

/** A form of a related record, over the form of the record to which it belongs. */
export function RelatedDrawer(props: RecordDrawerProps) {
  return (
    <Suspense>
      <RecordDrawer {...props} />
    </Suspense>
  )
}
