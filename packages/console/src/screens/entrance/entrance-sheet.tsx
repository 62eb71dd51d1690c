import type { ReactNode } from "react"
import { boot } from "../../kit/boot.ts"

/** One sheet on the desk, for people who have not signed in yet. */
export function EntranceSheet({ children }: { readonly children: ReactNode }) {
  return (
    <main className="entrance">
      <div className="letter-sheet">
        <div className="signature">
          <span className="brand-mark" aria-hidden>
            {boot.brand.name.charAt(0).toLowerCase()}
          </span>
          {boot.brand.name}
        </div>
        {children}
      </div>
    </main>
  )
}
