import { KitClientError } from "kit/client"
import { useEffect, useRef, useSyncExternalStore } from "react"
import { useFieldState, useForm } from "../../../form/form-context.ts"
import { RequestId } from "../../../parts/notice.tsx"
import { useWords } from "../../../words/words.ts"
import type { SaveState } from "./use-record-form.ts"

interface ProblemListProps {
  readonly saveState: SaveState
  /** Shows a field, in whichever tab it is, and focuses it. */
  readonly onJump: (path: string) => void
}

/** Says at the top of the form why it is not saved, with a jump to each field that has to be mended. */
export function ProblemList({ saveState, onJump }: ProblemListProps) {
  const words = useWords("record")
  const { problems, store, resource } = useForm()
  const found = useSyncExternalStore(
    (listener) => problems.subscribe(null, listener),
    () => problems.all(),
  )
  const overtaken = useFieldState(null, () => store.overtakenFields().join(" "))
  const isOvertaken = saveState.kind === "overtaken" && overtaken !== ""
  const listed = [
    ...found.map(({ path, message }) => ({ path, message })),
    ...(isOvertaken ? overtaken.split(" ").map((path) => ({ path, message: words.stillOvertaken })) : []),
  ]
  if (saveState.kind === "failed") return <SaveFailure error={saveState.error} />
  if (listed.length === 0) return null
  return (
    <section className="problems" role="alert">
      <h2>{words.problems(listed.length)}</h2>
      <ul>
        {listed.map(({ path, message }) => (
          <li key={`${path}/${message}`}>
            <button type="button" onClick={() => onJump(path)}>
              <b>{resource.fields[path.split(".", 1)[0] ?? ""]?.label ?? path}</b> {message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function SaveFailure({ error }: { readonly error: Error }) {
  const words = useWords("record")
  const element = useRef<HTMLElement>(null)
  const isOffline = error instanceof KitClientError && error.status === 0
  useEffect(() => {
    // Newer browsers return a promise, which is not a function that cleans up.
    void element.current?.scrollIntoView({ block: "nearest" })
  }, [])
  return (
    <section className="problems" role="alert" ref={element}>
      <h2>{words.notSaved}</h2>
      <p>{isOffline ? words.noConnection : error.message}</p>
      <RequestId error={error} />
    </section>
  )
}
