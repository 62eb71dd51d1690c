import { useEffect, useState } from "react"

// A record that is there sooner needs no sign that it is on its way.
const SHOWN_AFTER_MS = 150

/** The frame of a record, while it is on its way. */
export function RecordSkeleton() {
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <main className="sheet" aria-busy="true">
      <header className="bar" />
      {isShown && (
        <div className="record" aria-hidden>
          <div className="document">
            <div className="column skeleton">
              <span className="skeleton-title" />
              <span />
              <span />
              <span className="short" />
            </div>
          </div>
          <aside className="properties skeleton">
            <span />
            <span className="short" />
            <span />
          </aside>
        </div>
      )}
    </main>
  )
}
