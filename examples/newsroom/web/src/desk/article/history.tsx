import { useMutation } from "kit/react"
import { useEffect, useState } from "react"
import { client } from "../../client.ts"
import { Button } from "../../components/button.tsx"
import { ErrorText } from "../../components/error-text.tsx"
import { useDates } from "../../shell/language.ts"
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
  const { versions, error, isCurrent } = useVersions(id, revision)
  const revert = useMutation(articles.revertToVersion)
  return (
    <>
      <ol className="versions" reversed aria-busy={!isCurrent}>
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
      <ErrorText text={(error ?? revert.error)?.message} />
    </>
  )
}

interface Version {
  readonly versionNumber: number
  readonly versionOperation: keyof DeskWords["history"]["operations"]
  readonly versionCreatedAt: Date
}

interface Read {
  /** The revision of the article to which the versions belong. */
  readonly revision: number | undefined
  readonly versions: readonly Version[]
  readonly error?: Error
}

/** Reads the versions, and again after each change of the article. The former ones stay until the new ones are there. */
function useVersions(id: string, revision: number) {
  const [read, setRead] = useState<Read>({ revision: undefined, versions: [] })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    articles.findVersions({ id, limit: SHOWN_VERSIONS }, { signal }).then(
      (versions) => setRead({ revision, versions }),
      (error) => signal.aborted || setRead(({ versions }) => ({ revision, versions, error })),
    )
    return () => controller.abort()
  }, [id, revision])
  return { ...read, isCurrent: read.revision === revision }
}
