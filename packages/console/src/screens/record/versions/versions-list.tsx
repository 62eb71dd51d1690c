import type { KeyboardEvent } from "react"
import { useFormats, useNow } from "../../../kit/formats.ts"
import { shortMoment } from "../../../kit/past.ts"
import { Button } from "../../../parts/button.tsx"
import { Person } from "../../../parts/person.tsx"
import { useWords } from "../../../words/words.ts"
import { usePeopleNames } from "./use-people-names.ts"
import { currentVersion, type Version, type VersionPages } from "./version-pages.ts"

interface VersionsListProps {
  readonly pages: VersionPages
  /** Returns the label of a stage. */
  readonly stageLabel: (stage: string) => string
  readonly onOpen: (version: number) => void
  readonly onMore: () => void
}

/** The versions of a record, the newest first. */
export function VersionsList({ pages, stageLabel, onOpen, onMore }: VersionsListProps) {
  const words = useWords("versions")
  const current = currentVersion(pages)
  return (
    <div className="versions">
      <ol aria-label={words.versions} onKeyDown={moveByArrows}>
        {pages.versions.map((version) => (
          <li key={version.number}>
            <button type="button" className="version" onClick={() => onOpen(version.number)}>
              <span className="number">{version.number}</span>
              <span className="version-what">
                <b>
                  {words.operations[version.operation] ?? version.operation}
                  {version.stage !== null && ` · ${stageLabel(version.stage)}`}
                </b>
                <Authors version={version} />
              </span>
              <span className="version-when">
                <Moment at={version.at} />
                {version === current && <small className="version-now">{words.now}</small>}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {pages.hasMore && <Button onPress={onMore}>{words.older}</Button>}
    </div>
  )
}

/** The people who have written a version, as far as the reader may know them. */
export function Authors({ version: { authors } }: { readonly version: Version }) {
  const words = useWords("versions")
  const nameOf = usePeopleNames()
  if (authors.length === 0) return <span className="version-authors">{words.app}</span>
  return (
    <span className="version-authors">
      {authors.map((id) => {
        const name = nameOf(id)
        return name === undefined ? <span key={id}>{words.somebody}</span> : <Person key={id} id={id} name={name} />
      })}
    </span>
  )
}

export function Moment({ at }: { readonly at: Date }) {
  const words = useWords("values")
  const formats = useFormats()
  const now = useNow()
  return (
    <time dateTime={at.toISOString()} title={formats.moment.format(at)}>
      {shortMoment(at, now, { words, formats })}
    </time>
  )
}

function moveByArrows(event: KeyboardEvent<HTMLOListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const buttons = [...event.currentTarget.querySelectorAll("button")]
  const index = buttons.findIndex((button) => button.matches(":focus"))
  buttons[index + step]?.focus()
  event.preventDefault()
}
