import type { EditProps } from "../../edit-props.ts"
import type { Relation } from "../relation-of.ts"
import type { Target } from "../use-target.ts"
import type { LinkPaging } from "./link-pages.tsx"
import type { LinksEdit } from "./links-edit.ts"
import type { Links } from "./use-links.ts"

export interface ToManyProps extends EditProps {
  readonly relation: Relation
  /** The related collection, which the person may read. */
  readonly collection: string
}

/** A list of links whose first page has been read. */
export interface LinkListProps extends ToManyProps {
  readonly target: Target
  readonly edit: LinksEdit
  readonly links: Links
  readonly paging: LinkPaging
}
