import { createContext, useContext } from "react"
import { entrance } from "./en/entrance.ts"

/** The texts that people see before the desk. They are apart from the others, so that the first page stays small. */
export type EntranceWords = typeof entrance

export const EntranceWordsContext = createContext<EntranceWords>(entrance)

/** Returns the texts of the entrance, in the language of the person. */
export function useEntranceWords(): EntranceWords {
  return useContext(EntranceWordsContext)
}
