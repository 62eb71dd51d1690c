import type { ComponentType } from "react"
import { loadable } from "../parts/loadable.tsx"
import { BooleanEdit } from "./boolean/edit.tsx"
import type { EditProps } from "./edit-props.ts"
import type { GroupProps } from "./group/group-props.ts"
import { JsonEdit } from "./json/edit.tsx"
import { NumberEdit } from "./number/edit.tsx"
import { RichTextEdit } from "./rich-text/edit.tsx"
import { TextEdit } from "./text/edit.tsx"
import { TextareaEdit } from "./textarea/edit.tsx"
import { TogetherEdit } from "./together/edit.tsx"

// Dates and times bring a calendar along, which many records do not need.
const dates = () => import("./date/edit.tsx")
const DateEdit = loadable(async () => (await dates()).DateEdit)
const TimeEdit = loadable(async () => (await dates()).TimeEdit)
const DatetimeEdit = loadable(async () => (await dates()).DatetimeEdit)

// Relations bring a search along, and files their progress.
const relations = () => import("./relation/edit.tsx")
const RelationEdit = loadable(async () => (await relations()).RelationEdit)
const uploads = () => import("./upload/edit.tsx")
const UploadEdit = loadable(async () => (await uploads()).UploadEdit)

// Options bring radio buttons, ticks and lists along.
const options = () => import("./select/edit.tsx")
const SelectEdit = loadable(async () => (await options()).SelectEdit)
const MultipleEdit = loadable(async () => (await options()).MultipleEdit)

// Values with parts bring lists along, which plain records do not need.
const groups = () => import("./group-edits.ts")
const ObjectEdit = loadable(async () => (await groups()).ObjectEdit)
const ArrayEdit = loadable(async () => (await groups()).ArrayEdit)
const BlocksEdit = loadable(async () => (await groups()).BlocksEdit)

const LOADED_LATER: Readonly<Record<string, () => Promise<unknown>>> = {
  relation: relations,
  upload: uploads,
  date: dates,
  time: dates,
  datetime: dates,
  select: options,
  multiple: options,
  object: groups,
  array: groups,
  blocks: groups,
}

/** Begins to load the editors of these types, while the record is still being read. */
export function loadEdits(types: readonly string[]): void {
  // The form imports them again, and reports what fails.
  for (const type of new Set(types)) LOADED_LATER[type]?.().catch(() => {})
}

/**
 * The editors of values, by the type of their field. A value of a type that is missing here is shown as text, and so are
 * the types of `SHOWN_AS_TEXT` where the person may not change them. All other editors show read-only values themselves.
 */
export const EDITS: Readonly<Record<string, ComponentType<EditProps>>> = {
  relation: RelationEdit,
  upload: UploadEdit,
  text: TextEdit,
  email: TextEdit,
  url: TextEdit,
  textarea: TextareaEdit,
  number: NumberEdit,
  boolean: BooleanEdit,
  date: DateEdit,
  time: TimeEdit,
  datetime: DatetimeEdit,
  select: SelectEdit,
  multiple: MultipleEdit,
  json: JsonEdit,
}

/** The editors of values with parts of their own, and of texts with pages. They draw their labels themselves. */
export const GROUP_EDITS: Readonly<Record<string, ComponentType<GroupProps>>> = {
  object: ObjectEdit,
  array: ArrayEdit,
  blocks: BlocksEdit,
  richText: RichTextEdit,
}

/** The editors of fields that several people edit together. Their values are never part of an update. */
export const TOGETHER_EDITS: Readonly<Record<string, ComponentType<GroupProps>>> = {
  richText: TogetherEdit,
  textarea: TogetherEdit,
  json: TogetherEdit,
}

export const SHOWN_AS_TEXT: ReadonlySet<string> = new Set([
  "text",
  "email",
  "url",
  "textarea",
  "number",
  "boolean",
  "date",
  "time",
  "datetime",
  "select",
  "multiple",
  "json",
])
