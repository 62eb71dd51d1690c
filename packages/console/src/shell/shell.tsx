import type { ReactNode } from "react"
import { PhonePlaces } from "./phone-places.tsx"
import { Sidebar } from "./sidebar.tsx"

/** The frame of every screen: the sidebar on the paper, and the sheet beside it. On a phone, the places are below. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <div className="shell">
      <Sidebar />
      {children}
      <PhonePlaces />
    </div>
  )
}
