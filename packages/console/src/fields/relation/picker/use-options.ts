import { useFind } from "kit/react"
import { useMemo } from "react"
import { type ConsoleRecord, collectionHandle } from "../../../kit/resources.ts"
import type { Face } from "../face.ts"
import { workingStage } from "../stage.ts"
import type { Target } from "../use-target.ts"

const OPTIONS_MAX = 20

interface Search {
  /** The text that the person has typed. */
  readonly text: string
  readonly locale: string
  /** False while no options are shown. */
  readonly isOpen: boolean
}

interface Options {
  /** Undefined until the first ones have arrived. */
  readonly faces: readonly Face[] | undefined
  /** False while they are still those of another text. */
  readonly isCurrent: boolean
  readonly error: Error | undefined
}

/** Reads the records among which a related one is chosen. Each text that is typed aborts the read before it. */
export function useOptions(target: Target | undefined, { text, locale, isOpen }: Search): Options {
  const found = useFind(
    collectionHandle(target?.schema.name ?? "_none"),
    target && isOpen ? { ...readOptions(target, text.trim()), locale } : null,
  )
  const faces = useMemo(() => {
    // The records of a collection that is known by its description only.
    const records = found.data?.docs as readonly ConsoleRecord[] | undefined
    return records && target && inOrderOf(records.map(target.reading.faceOf), text.trim())
  }, [found.data, target, text])
  return { faces, isCurrent: found.status === "success", error: found.error }
}

/** Returns whether the records can be found by a text. */
export function isSearchable({ schema, reading }: Target): boolean {
  return schema.options.search !== null || (reading.title?.operators.includes("contains") ?? false)
}

function readOptions({ schema, reading }: Target, text: string) {
  const { columns, with: related, title } = reading
  const stage = workingStage(schema)
  const byTitle = title?.operators.includes("contains") ? { where: { [title.name]: { contains: text } } } : undefined
  const search = schema.options.search === null ? undefined : { search: text }
  return {
    columns,
    with: related,
    limit: OPTIONS_MAX,
    total: false,
    ...(stage && { stage }),
    ...(text !== "" && (byTitle ?? search)),
  }
}

// Titles that begin with the text come first. The others keep the order of the server.
function inOrderOf(faces: readonly Face[], text: string): readonly Face[] {
  const begins = ({ title }: Face) => title?.toLocaleLowerCase().startsWith(text.toLocaleLowerCase()) ?? false
  return text === "" ? faces : [...faces.filter(begins), ...faces.filter((face) => !begins(face))]
}
