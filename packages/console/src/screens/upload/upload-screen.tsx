import type { CollectionSchema } from "kit/client"
import { Link } from "wouter"
import { listPath } from "../../routes.ts"
import { useTitle } from "../../shell/title.ts"
import { useWords } from "../../words/words.ts"
import { UploadFiles } from "./upload-files.tsx"

/** New records of a collection of files: they are made by choosing files. */
export function UploadScreen({ schema }: { readonly schema: CollectionSchema }) {
  const words = useWords("files")
  useTitle(words.newFiles(schema.label))
  return (
    <main className="sheet">
      <header className="bar">
        <span className="trail">
          <Link href={listPath(schema.name)}>{schema.label}</Link>
          <span>/</span>
          <b>{words.uploads}</b>
        </span>
      </header>
      <div className="document">
        <div className="column">
          <UploadFiles schema={schema} />
        </div>
      </div>
    </main>
  )
}
