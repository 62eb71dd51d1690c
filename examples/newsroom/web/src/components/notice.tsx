import type { ReactNode } from "react"
import { useWords } from "../shell/language.ts"
import { useIsOnline } from "../shell/use-is-online.ts"

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

interface ProblemProps {
  readonly error: { readonly message: string }
  readonly children?: ReactNode
}

/** Shows the error of a read in place of its result. */
export function Problem({ error, children }: ProblemProps) {
  const { failed } = useWords()
  return (
    <div className="notice notice-problem" role="alert">
      <p className="notice-title">{failed}</p>
      <p>{error.message}</p>
      {children}
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

/** Shows that a list follows its changes. */
export function LiveMark({ isLive }: { readonly isLive: boolean }) {
  const words = useWords()
  const isOnline = useIsOnline()
  return isLive && isOnline && <span className="live-mark">{words.live}</span>
}
