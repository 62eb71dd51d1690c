import { useSyncExternalStore } from "react"
import { writeStored } from "./stored.ts"

export type Theme = "light" | "dark"

const KEY = "theme"
const CHANGED = "newsroom:theme"
const system = window.matchMedia("(prefers-color-scheme: dark)")

/** The theme that is shown: the one that the reader has chosen, otherwise that of the system, also when it changes. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, currentTheme), chooseTheme]
}

function currentTheme(): Theme {
  // The script in index.html has set the theme that was stored.
  const chosen = document.documentElement.dataset["theme"]
  if (chosen === "light" || chosen === "dark") return chosen
  return system.matches ? "dark" : "light"
}

function chooseTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme
  writeStored(KEY, theme)
  window.dispatchEvent(new Event(CHANGED))
}

function subscribe(listener: () => void): () => void {
  system.addEventListener("change", listener)
  window.addEventListener(CHANGED, listener)
  return () => {
    system.removeEventListener("change", listener)
    window.removeEventListener(CHANGED, listener)
  }
}
