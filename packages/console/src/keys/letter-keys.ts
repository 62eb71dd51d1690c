import { KeptValue, useKept } from "../kit/kept-value.ts"

const letterKeys = new KeptValue<boolean>("letter-keys", {
  fallback: true,
  parse: (kept) => (typeof kept === "boolean" ? kept : undefined),
})

/** True if single letters and signs are keys. People who speak to their computer turn them off. */
export function areLetterKeysOn(): boolean {
  return letterKeys.read()
}

export function useLetterKeys(): [areOn: boolean, turn: (areOn: boolean) => void] {
  return useKept(letterKeys)
}
