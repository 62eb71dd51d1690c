import { X } from "lucide-react"
import { useEffect, useSyncExternalStore } from "react"
import { useWords } from "../words/words.ts"
import { Icon } from "./icon.tsx"

export interface Toast {
  readonly text: string
  /** What can be done about it, such as undoing it. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

const SHOWN_MS = 10_000

let shown: Toast | null = null
const listeners = new Set<() => void>()

/** Says at the lower edge what has happened, in the place of what was said before. */
export function showToast(toast: Toast | null): void {
  shown = toast
  for (const listener of listeners) listener()
}

/** The place of what is said. It stays while it is pointed at or has the focus. */
export function Toasts() {
  const words = useWords("shell")
  const toast = useSyncExternalStore(subscribe, () => shown)
  useEffect(() => {
    if (toast === null) return undefined
    const timer = setInterval(() => {
      if (shown === toast && document.querySelector(".toast:hover, .toast:focus-within") === null) showToast(null)
    }, SHOWN_MS)
    return () => clearInterval(timer)
  }, [toast])
  return (
    <div className="toasts" role="status">
      {toast && (
        <p className="toast">
          <span>{toast.text}</span>
          {toast.action && (
            <button
              type="button"
              onClick={() => {
                toast.action?.run()
                showToast(null)
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button type="button" aria-label={words.close} onClick={() => showToast(null)}>
            <Icon of={X} />
          </button>
        </p>
      )}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
