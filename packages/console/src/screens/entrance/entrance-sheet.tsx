import { type ReactNode, useEffect } from "react"
import { boot } from "../../kit/boot.ts"
import { useFirstScreenShown } from "../../kit/first-screen.ts"

interface EntranceSheetProps {
  readonly title: string
  readonly children: ReactNode
}

/** One sheet on the desk, for people who are not at their desk yet. */
export function EntranceSheet({ title, children }: EntranceSheetProps) {
  useFirstScreenShown(true)
  useEffect(() => {
    document.title = `${title} · ${boot.brand.name}`
  }, [title])
  return (
    <main className="entrance">
      <div className="letter-sheet">
        <div className="signature">
          <span className="brand-mark" aria-hidden>
            {boot.brand.name.charAt(0).toLowerCase()}
          </span>
          {boot.brand.name}
        </div>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
