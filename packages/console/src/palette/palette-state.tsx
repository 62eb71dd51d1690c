import { useAppIndex } from "../kit/descriptions.ts"
import { RequestId } from "../parts/notice.tsx"
import { useWords } from "../words/words.ts"
import type { TitleSearch } from "./use-found-titles.ts"

interface PaletteStateProps {
  readonly text: string
  readonly search: TitleSearch
  /** True if nothing has the typed words in its name. */
  readonly isEmpty: boolean
}

/** Says below the commands that records are still searched, that there are none, or why they could not be searched. */
export function PaletteState({ text, search, isEmpty }: PaletteStateProps) {
  const words = useWords("palette")
  const { tryAgain } = useWords("shell")
  const { resources } = useAppIndex()
  const { error, isSearching, retry, found } = search
  if (text.trim() === "") return null
  if (error && !isSearching) {
    return (
      <div className="palette-state">
        <p role="alert">
          <b>{words.failed}</b> {error.message}
        </p>
        <RequestId error={error} />
        <button type="button" className="button" onClick={retry}>
          {tryAgain}
        </button>
      </div>
    )
  }
  const labels = resources.filter(({ name }) => found.notSearched.includes(name)).map(({ label }) => label)
  return (
    <div className="palette-state" role="status">
      {isSearching && <p className="palette-searching">{words.searching}</p>}
      {!isSearching && isEmpty && <p>{words.nothing(text.trim())}</p>}
      {!isSearching && labels.length > 0 && <p>{words.notSearched(labels.join(", "))}</p>}
    </div>
  )
}
