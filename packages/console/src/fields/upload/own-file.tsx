import type { ResourceSchema } from "../../kit/descriptions.ts"
import type { ConsoleRecord } from "../../kit/resources.ts"
import { Picture } from "../../parts/files/picture.tsx"
import { useWords } from "../../words/words.ts"
import { isShownAsPicture } from "./file-picture.tsx"

interface OwnFileProps {
  readonly schema: ResourceSchema
  readonly record: ConsoleRecord | null | undefined
}

/** The file to which a record of a collection of files belongs: its picture, and a link to the file itself. */
export function OwnFile({ schema, record }: OwnFileProps) {
  const words = useWords("files")
  const { options, access } = schema
  if (options.upload === null || access.operations.serve === false || !record) return null
  const { url, mimeType, filename } = record
  if (typeof url !== "string") return null
  return (
    <figure className={isShownAsPicture(String(mimeType)) ? "file-view picture own" : "file-view"}>
      {isShownAsPicture(String(mimeType)) && <Picture src={url} alt={String(filename ?? "")} />}
      <figcaption className="file-bar">
        <a className="button" href={url} target="_blank" rel="noreferrer">
          {words.open}
        </a>
      </figcaption>
    </figure>
  )
}
