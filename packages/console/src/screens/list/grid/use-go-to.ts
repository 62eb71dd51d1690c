import { useEffect, useRef } from "react"

interface GridLength {
  readonly length: number
  /** False until the rows have been counted. */
  readonly isLengthKnown: boolean
}

/**
 * Returns a function that moves to a row. A move to the last row is made again when the rows have been counted, unless the
 * person has moved elsewhere meanwhile: until then, the last row is only the last one that was read.
 */
export function useGoTo(show: (index: number) => void, { length, isLengthKnown }: GridLength): (index: number) => void {
  const isAtUnknownEnd = useRef(false)
  useEffect(() => {
    if (!isLengthKnown || !isAtUnknownEnd.current) return
    isAtUnknownEnd.current = false
    show(length - 1)
  })
  return (index) => {
    isAtUnknownEnd.current = !isLengthKnown && index >= length - 1
    show(index)
  }
}
