import type { ReactNode } from "react"

// No icon: without this, browsers ask for one.
export const metadata = { icons: "data:," }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
