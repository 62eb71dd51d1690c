import { useSyncExternalStore } from "react"
import { useWords } from "../words/words.ts"

/** The ways in which numbers and times are written, in the language of the person. */
export interface Formats {
  readonly locale: string
  readonly number: Intl.NumberFormat
  readonly day: Intl.DateTimeFormat
  readonly dayOfYear: Intl.DateTimeFormat
  readonly time: Intl.DateTimeFormat
  /** Everything about a moment, with its zone. */
  readonly moment: Intl.DateTimeFormat
}

const made = new Map<string, Formats>()

export function useFormats(): Formats {
  return formatsOf(useWords("shell").formats)
}

/** Returns the formats of a locale. They are made once: making one takes longer than using it a hundred times. */
export function formatsOf(locale: string): Formats {
  const formats = made.get(locale) ?? newFormats(locale)
  made.set(locale, formats)
  return formats
}

function newFormats(locale: string): Formats {
  const day = { day: "numeric", month: "short" } as const
  return {
    locale,
    number: new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }),
    day: new Intl.DateTimeFormat(locale, { ...day, year: "numeric" }),
    dayOfYear: new Intl.DateTimeFormat(locale, day),
    time: new Intl.DateTimeFormat(locale, { timeStyle: "short" }),
    moment: new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" }),
  }
}

const TICK_MS = 30_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** Returns the present, which moves on every half a minute. One clock serves all that is shown. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}
