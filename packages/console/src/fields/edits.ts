import type { ComponentType } from "react"
import { ArrayEdit } from "./array/edit.tsx"
import { BlocksEdit } from "./blocks/edit.tsx"
import type { EditProps } from "./edit-props.ts"
import type { GroupProps } from "./group/group-props.ts"
import { ObjectEdit } from "./object/edit.tsx"
import { RichTextEdit } from "./rich-text/edit.tsx"
import { TextEdit } from "./text/edit.tsx"

/** The editors of values, by the type of their field. A type that is missing here is shown as its JSON. */
export const EDITS: Readonly<Record<string, ComponentType<EditProps>>> = {
  text: TextEdit,
  email: TextEdit,
  url: TextEdit,
}

/** The editors of values with parts of their own, by the type of their field. They draw their labels themselves. */
export const GROUP_EDITS: Readonly<Record<string, ComponentType<GroupProps>>> = {
  object: ObjectEdit,
  array: ArrayEdit,
  blocks: BlocksEdit,
  richText: RichTextEdit,
}
