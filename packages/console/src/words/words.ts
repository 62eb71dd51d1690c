import { createContext, useContext } from "react"
import type { en } from "./en/index.ts"

/** The texts of the console in one language. */
export type Words = typeof en

export const WordsContext = createContext<Words | null>(null)

/** Returns the texts of one part of the console, in the language of the person. */
export function useWords<Part extends keyof Words>(part: Part): Words[Part] {
  const words = useContext(WordsContext)
  if (words === null) throw new Error("useWords is called outside of the desk. The entrance has useEntranceWords.")
  return words[part]
}
