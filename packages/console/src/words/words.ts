import { createContext, useContext } from "react"
import { en } from "./en/index.ts"

/** The texts of the console in one language. */
export type Words = typeof en

export const WordsContext = createContext<Words>(en)

/** Returns the texts of one part of the console, in the language of the person. */
export function useWords<Part extends keyof Words>(part: Part): Words[Part] {
  return useContext(WordsContext)[part]
}
