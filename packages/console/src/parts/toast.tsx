import { X } from "lucide-react"
import { useEffect, useState, useSyncExternalStore } from "react"
import { useWords } from "../words/words.ts"
import { Button } from "./button.tsx"
import { Icon } from "./icon.tsx"

const SHOWN_MS = 8_000
const SHOWN_TOGETHER_MAX = 3

interface Message {
  /** Says what has happened. */
  readonly text: string
  /** A button beside it, such as one that undoes it. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

interface ShownMessage extends Message {
  readonly key: number
}

let shown: readonly ShownMessage[] = []
let lastKey = 0
const listeners = new Set<() => void>()

/** Says at the lower edge of the page what has happened. It goes away by itself, but not while it is pointed at. */
export function toast(message: Message): void {
  lastKey += 1
  show([...shown, { ...message, key: lastKey }].slice(-SHOWN_TOGETHER_MAX))
}

/** The place of the messages of `toast`. The desk has it once. */
export function Toasts() {
  const messages = useSyncExternalStore(subscribe, () => shown)
  return (
    <div className="toasts" role="status">
      {messages.map((message) => (
        <Toast key={message.key} message={message} />
      ))}
    </div>
  )
}

function Toast({ message: { key, text, action } }: { readonly message: ShownMessage }) {
  const words = useWords("shell")
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const isHeld = useIsHeld(element)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => remove(key), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [key, isHeld])
  return (
    <div className="toast" ref={setElement}>
      <span>{text}</span>
      {action && (
        <Button
          look="quiet"
          onPress={() => {
            remove(key)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <Button look="icon" aria-label={words.close} onPress={() => remove(key)}>
        <Icon of={X} />
      </Button>
    </div>
  )
}

/** Returns whether the pointer or the focus is in the element. */
function useIsHeld(element: HTMLElement | null): boolean {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    const [hold, release] = [() => setIsHeld(true), () => setIsHeld(false)]
    const ended = new AbortController()
    for (const type of ["pointerenter", "focusin"]) element?.addEventListener(type, hold, ended)
    for (const type of ["pointerleave", "focusout"]) element?.addEventListener(type, release, ended)
    return () => ended.abort()
  }, [element])
  return isHeld
}

function remove(key: number): void {
  show(shown.filter((message) => message.key !== key))
}

function show(messages: readonly ShownMessage[]): void {
  shown = messages
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
