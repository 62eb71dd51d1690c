import { type RefObject, useInsertionEffect, useRef } from "react"

/** Returns a reference to the newest value, for a function that stays the same through all renders. */
export function useNewest<Value>(value: Value): RefObject<Value> {
  const newest = useRef(value)
  // This effect runs before all other effects of the same commit.
  useInsertionEffect(() => {
    newest.current = value
  })
  return newest
}
