import { useEffect, useRef } from "react"
import { useLocation } from "wouter"
import { isWriting } from "./is-writing.ts"
import { closeLayer, isLayerOpen, openLayer } from "./layers.ts"
import { areLetterKeysOn } from "./letter-keys.ts"
import { topScreenKeys } from "./screen-keys.ts"
import { usePlaceLetters } from "./use-place-letters.ts"

// The letter of a place follows the key g within this time.
const NEXT_LETTER_MS = 2_000

/** The keys that work on every screen: the palette, the search, the places, the list of keys. */
export function useGlobalKeys(): void {
  const [, navigate] = useLocation()
  const letters = usePlaceLetters()
  const latest = useRef({ navigate, letters })
  latest.current = { navigate, letters }
  useEffect(() => {
    let goUntil = 0
    function press(event: KeyboardEvent) {
      const isGoing = event.timeStamp < goUntil
      goUntil = 0
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const key = event.key.toLowerCase()
      if (event.metaKey || event.ctrlKey) {
        if (key !== "k" || event.shiftKey) return
        event.preventDefault()
        togglePalette()
        return
      }
      if (!areLetterKeysOn() || isWriting(event.target)) return
      if (key === "?") {
        event.preventDefault()
        openLayer("keys")
        return
      }
      if (isBelowDialog()) return
      if (key === "g" && !isGoing) {
        goUntil = event.timeStamp + NEXT_LETTER_MS
        return
      }
      const path = isGoing ? latest.current.letters.get(key) : undefined
      if (path === undefined && key !== "/") return
      event.preventDefault()
      if (path === undefined) search()
      else latest.current.navigate(path)
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [])
}

function togglePalette(): void {
  if (isLayerOpen()) closeLayer()
  else openLayer("palette")
}

function search(): void {
  const screen = topScreenKeys()
  if (screen?.search) screen.search()
  else openLayer("palette")
}

function isBelowDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]') !== null
}
