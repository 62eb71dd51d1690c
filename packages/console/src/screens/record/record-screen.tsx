import { useLive } from "kit/react"
import { useCollectionSchema } from "../../kit/descriptions.ts"
import { collectionHandle } from "../../kit/resources.ts"
import { Failure } from "../../parts/notice.tsx"
import { useWords } from "../../words/words.ts"

interface RecordScreenProps {
  readonly collection: string
  /** Null for a record that is still to be created. */
  readonly id: string | null
}

/** One record as a form. */
export function RecordScreen({ collection, id }: RecordScreenProps) {
  const words = useWords("record")
  const schema = useCollectionSchema(collection)
  const record = useLive(collectionHandle(collection).record(id ?? ""), id === null ? null : {})
  if (record.status === "error") return <Failure title={words.failed} error={record.error} />
  return (
    <main className="sheet">
      <header className="bar">
        <h1>{schema.data?.singularLabel}</h1>
      </header>
      <div className="record">
        <div className="document">
          <pre>{JSON.stringify(record.data, null, 2)}</pre>
        </div>
      </div>
    </main>
  )
}
