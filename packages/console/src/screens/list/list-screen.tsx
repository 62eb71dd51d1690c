import type { CollectionSchema } from "kit/client"
import { useCollectionSchema } from "../../kit/descriptions.ts"
import { Failure } from "../../parts/notice.tsx"
import { useTitle } from "../../shell/title.ts"
import { useWords } from "../../words/words.ts"
import { ListSheet } from "./list-sheet.tsx"

/** The records of a collection, live. All of its state is in the address. */
export function ListScreen({ collection }: { readonly collection: string }) {
  const words = useWords("list")
  const schema = useCollectionSchema(collection)
  useTitle(schema.data?.label)
  if (schema.status === "error") {
    return (
      <main className="sheet">
        <Failure title={words.failed} error={schema.error} onRetry={() => void schema.refetch()} />
      </main>
    )
  }
  // The frame is there before the description is.
  if (schema.data === undefined) return <main className="sheet" aria-busy />
  // A read of the description of a collection has this type.
  return <ListSheet schema={schema.data as CollectionSchema} />
}
