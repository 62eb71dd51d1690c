import { type ReactNode, useEffect, useRef } from "react"
import { useLocation } from "wouter"
import { KeptValue, useKept } from "../kit/kept-value.ts"
import { Toasts } from "../parts/toast.tsx"
import { useWords } from "../words/words.ts"
import { keepFocus } from "./keep-focus.ts"
import { OfflineStrip } from "./offline-strip.tsx"
import { PhonePlaces } from "./phone-places.tsx"
import { SCREEN_ID } from "./screen-id.ts"
import { Sidebar } from "./sidebar.tsx"

const folded = new KeptValue<boolean>("sidebar-folded", {
  fallback: false,
  parse: (kept) => (typeof kept === "boolean" ? kept : undefined),
})

/** The frame of every screen: the sidebar on the paper, and the sheet beside it. On a phone, the places are below. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const words = useWords("shell")
  const [isFolded, fold] = useKept(folded)
  const screen = useRef<HTMLDivElement>(null)
  useFocusOnNavigation(screen)
  useEffect(keepFocus, [])
  return (
    <div className={isFolded ? "shell folded" : "shell"}>
      <a className="skip" href={`#${SCREEN_ID}`}>
        {words.skip}
      </a>
      <Sidebar isFolded={isFolded} onFold={() => fold(!isFolded)} />
      <div className="screen" id={SCREEN_ID} ref={screen} tabIndex={-1}>
        <OfflineStrip />
        {children}
      </div>
      <PhonePlaces />
      <Toasts />
    </div>
  )
}

/** Moves the focus into a screen that was opened, unless the screen has taken it already. */
function useFocusOnNavigation(screen: { readonly current: HTMLElement | null }): void {
  const [location] = useLocation()
  const former = useRef(location)
  useEffect(() => {
    if (former.current === location) return
    former.current = location
    if (!hasFocus(screen.current)) screen.current?.focus({ preventScroll: true })
  }, [location, screen])
}

// A screen whose code is still being loaded leaves the former one in the page, out of sight.
function hasFocus(screen: HTMLElement | null): boolean {
  const { activeElement } = document
  return screen !== null && activeElement !== null && screen.contains(activeElement) && activeElement.checkVisibility()
}
