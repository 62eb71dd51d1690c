import { useEffect, useRef } from "react"
import { useLocation } from "wouter"
import { isWriting } from "./is-writing.ts"
import { closeLayer, isLayerOpen, openLayer } from "./layers.ts"
import { areLetterKeysOn } from "./letter-keys.ts"
import { addressBeside, isMovesKey } from "./record-keys.ts"
import { topScreenKeys } from "./screen-keys.ts"
import { usePlaceLetters } from "./use-place-letters.ts"

// The letter of a place follows the key g within this time.
const NEXT_LETTER_MS = 2_000

interface GlobalKeys {
  readonly navigate: (path: string) => void
  /** The places by their letters. */
  readonly letters: ReadonlyMap<string, string>
  /** True if the key before this one was g. */
  readonly isGoing: boolean
}

/** The keys that work on every screen, and those of a screen that work wherever the focus is. */
export function useGlobalKeys(): void {
  const [, navigate] = useLocation()
  const letters = usePlaceLetters()
  const latest = useRef({ navigate, letters })
  latest.current = { navigate, letters }
  useEffect(() => {
    let goUntil = 0
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return
      const isGoing = event.timeStamp < goUntil
      goUntil = !isGoing && isGoKey(event) ? event.timeStamp + NEXT_LETTER_MS : 0
      const isDone = pressCombination(event, latest.current) || pressLetter(event, { ...latest.current, isGoing })
      if (isDone) event.preventDefault()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [])
}

/** Keys with ⌘, Ctrl or Alt work while a text is written, too. */
function pressCombination(event: KeyboardEvent, { navigate }: Pick<GlobalKeys, "navigate">): boolean {
  const { key, metaKey, ctrlKey, altKey, shiftKey } = event
  if ((metaKey || ctrlKey) && !altKey && !shiftKey && key.toLowerCase() === "k") {
    if (isLayerOpen()) closeLayer()
    else openLayer("palette")
    return true
  }
  const screen = topScreenKeys()
  if (screen?.kind !== "record" || isBelowDialog()) return false
  if (isMovesKey(event) && screen.openMoves) {
    screen.openMoves()
    return true
  }
  const beside = addressBeside(event, screen)
  if (beside !== undefined) navigate(beside)
  return beside !== undefined
}

function pressLetter(event: KeyboardEvent, { navigate, letters, isGoing }: GlobalKeys): boolean {
  if (!isLetterKey(event)) return false
  const key = event.key.toLowerCase()
  if (key === "?") {
    openLayer("keys")
    return true
  }
  if (isBelowDialog()) return false
  const path = isGoing ? letters.get(key) : undefined
  if (path !== undefined) navigate(path)
  else if (key === "/") search()
  else return false
  return true
}

function isLetterKey({ metaKey, ctrlKey, altKey, target }: KeyboardEvent): boolean {
  return !metaKey && !ctrlKey && !altKey && areLetterKeysOn() && !isWriting(target)
}

function isGoKey(event: KeyboardEvent): boolean {
  return event.key.toLowerCase() === "g" && isLetterKey(event) && !isBelowDialog()
}

function search(): void {
  const screen = topScreenKeys()
  if (screen?.kind === "list" && screen.search) screen.search()
  else openLayer("palette")
}

function isBelowDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]') !== null
}
