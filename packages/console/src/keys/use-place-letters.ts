import { useMemo } from "react"
import { usePlaces } from "../shell/use-places.ts"
import { placeLetters } from "./place-letters.ts"

/** Returns the places to which letters lead after `g`, by their letters. */
export function usePlaceLetters(): ReadonlyMap<string, string> {
  const places = usePlaces()
  return useMemo(() => new Map([...placeLetters(places)].map(([path, letter]) => [letter, path])), [places])
}
