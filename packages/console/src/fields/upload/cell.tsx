import { NoValue } from "../../parts/no-value.tsx"
import { Thumbnail } from "../../parts/thumbnail.tsx"
import type { CellProps } from "../cell-props.ts"
import { relatedTitle } from "../relation/cell.tsx"

/** A file: the picture if it is one, and its name. */
export function UploadCell({ value, relation }: CellProps) {
  const title = relatedTitle(value, relation)
  if (title === null) return <NoValue />
  return (
    <span className="person">
      <Thumbnail file={value} title={title} />
      <span className="cut">{title}</span>
    </span>
  )
}
