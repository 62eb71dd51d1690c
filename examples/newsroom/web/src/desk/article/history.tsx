import { useMutation } from "kit/react"
import { useEffect, useState } from "react"
import { client } from "../../client.ts"
import { Button } from "../../components/button.tsx"
import { useDates } from "../../shell/language.tsx"
import { type DeskWords, useDeskWords } from "../words.ts"
import type { Article } from "./use-article.ts"

const { articles } = client.collections
const SHOWN_VERSIONS = 8

interface HistoryProps {
  readonly article: Article
  readonly canEdit: boolean
}

/** The newest versions of the article. They are read when the list is opened, and again after each change. */
export function History({ article, canEdit }: HistoryProps) {
  const words = useDeskWords().history
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="panel" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="panel-title">{words.label}</summary>
      {isOpen && <Versions article={article} canEdit={canEdit} />}
    </details>
  )
}

function Versions({ article: { id, revision }, canEdit }: HistoryProps) {
  const words = useDeskWords().history
  const dates = useDates()
  const versions = useVersions(id, revision)
  const revert = useMutation(articles.revertToVersion)
  return (
    <ol className="versions" reversed>
      {versions.map(({ versionNumber, versionOperation, versionCreatedAt }, index) => (
        <li key={versionNumber}>
          <span>
            {words.version(versionNumber)}, {words.operations[versionOperation]} {dates.ago(versionCreatedAt)}
          </span>
          {index === 0 && <span className="desk-note">{words.current}</span>}
          {index > 0 && canEdit && (
            <Button
              look="quiet"
              isBusy={revert.isPending}
              aria-label={words.restoreVersion(versionNumber)}
              onClick={() => void revert.runSafe({ id, version: versionNumber })}
            >
              {words.restore}
            </Button>
          )}
        </li>
      ))}
    </ol>
  )
}

interface Version {
  readonly versionNumber: number
  readonly versionOperation: keyof DeskWords["history"]["operations"]
  readonly versionCreatedAt: Date
}

function useVersions(id: string, revision: number): readonly Version[] {
  const [versions, setVersions] = useState<readonly Version[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision has a version of its own.
  useEffect(() => {
    const controller = new AbortController()
    articles.findVersions({ id, limit: SHOWN_VERSIONS }, { signal: controller.signal }).then(setVersions, () => {})
    return () => controller.abort()
  }, [id, revision])
  return versions
}
