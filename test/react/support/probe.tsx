import { useEffect } from "react"

interface ProbeProps<Result> {
  useResult(): Result
  /** Called with the result of every render that React has committed. */
  readonly onCommit?: ((result: Result) => void) | undefined
}

/** A component that shows the result of a hook as JSON. */
export function Probe<Result>({ useResult, onCommit }: ProbeProps<Result>) {
  const result = useResult()
  useEffect(() => {
    onCommit?.(result)
  })
  return <>{JSON.stringify(result, (_name, value) => (typeof value === "bigint" ? String(value) : value))}</>
}
