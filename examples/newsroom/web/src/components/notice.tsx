import type { ReactNode } from "react"
import { useWords } from "../shell/language.tsx"

interface NoticeProps {
  readonly title: string
  readonly children?: ReactNode
}

/** Says why there is nothing else to see: an empty list, a missing page. */
export function Notice({ title, children }: NoticeProps) {
  return (
    <div className="notice">
      <p className="notice-title">{title}</p>
      {children}
    </div>
  )
}

/** Shows the error of a read in place of its result. */
export function Problem({ error }: { readonly error: { readonly message: string } }) {
  const { failed } = useWords()
  return (
    <div className="notice notice-problem" role="alert">
      <p className="notice-title">{failed}</p>
      <p>{error.message}</p>
    </div>
  )
}

// The style sheet draws a line and the space below it in this height.
const SKELETON_LINE_REM = 2

/** Holds the place of a list while it is read. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const { loading } = useWords()
  return (
    <div className="skeleton" role="status" aria-label={loading}>
      <div className="skeleton-lines" style={{ height: `${lines * SKELETON_LINE_REM}rem` }} />
    </div>
  )
}

interface LiveMarkProps {
  readonly result: { readonly status: string; readonly isLive: boolean }
}

/** Shows whether a list follows its changes, or has lost the connection. */
export function LiveMark({ result }: LiveMarkProps) {
  const words = useWords()
  if (result.status !== "live" && result.status !== "stale") return null
  return (
    <span
      className={result.isLive ? "live-mark" : "live-mark live-mark-away"}
      title={result.isLive ? undefined : words.away}
    >
      {result.isLive ? words.live : "…"}
    </span>
  )
}
