import type { ComponentType } from "react"
import type { EditProps } from "./edit-props.ts"
import { RelationEdit } from "./relation/edit.tsx"
import { TextEdit } from "./text/edit.tsx"

/** The editors of values, by the type of their field. A type that is missing here is shown as its JSON. */
export const EDITS: Readonly<Record<string, ComponentType<EditProps>>> = {
  relation: RelationEdit,
  text: TextEdit,
  email: TextEdit,
  url: TextEdit,
}
