import { useLive } from "kit/react"
import { Link } from "wouter"
import { useCollectionSchema } from "../../kit/descriptions.ts"
import { collectionHandle } from "../../kit/resources.ts"
import { Failure } from "../../parts/notice.tsx"
import { newRecordPath, recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"

/** The records of a collection, live. */
export function ListScreen({ collection }: { readonly collection: string }) {
  const words = useWords("list")
  const schema = useCollectionSchema(collection)
  const title = schema.data?.options.title
  const titleField = title?.defined ? title.fieldName : "id"
  const options = schema.data && { columns: { [titleField]: true }, limit: 100, total: false }
  const list = useLive(collectionHandle(collection), options ?? null)
  if (schema.status === "error") return <Failure title={words.failed} error={schema.error} />
  if (list.status === "error") return <Failure title={words.failed} error={list.error} />
  return (
    <main className="sheet">
      <header className="bar">
        <h1>{schema.data?.label}</h1>
        <span className="rest" />
        <Link className="button primary" href={newRecordPath(collection)}>
          {words.create(schema.data?.singularLabel ?? "")}
        </Link>
      </header>
      <div className="grid">
        {list.data?.docs.map((record) => (
          <Link key={String(record.id)} className="row" href={recordPath(collection, String(record.id))}>
            <span className="title">{String(record[titleField])}</span>
          </Link>
        ))}
      </div>
    </main>
  )
}
