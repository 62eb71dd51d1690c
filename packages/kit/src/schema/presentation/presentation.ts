import type { WhereInput } from "../../wire/options/query-options.ts"

/** A text for people: one for all locales, or one per locale. */
export type Text = string | Readonly<Record<string, string>>

/** The texts and the place of a field in a form, as the author declares them. */
export interface FieldPresentation {
  readonly label: Text | undefined
  readonly description: Text | undefined
  readonly placeholder: Text | undefined
  readonly width: FieldWidth | undefined
  /** A filter over the other fields of the record. A form shows the field while the record matches it. */
  readonly visible: WhereInput | undefined
}

export const PLAIN_FIELD_PRESENTATION: FieldPresentation = Object.freeze({
  label: undefined,
  description: undefined,
  placeholder: undefined,
  width: undefined,
  visible: undefined,
})

export type FieldWidth = "full" | "half" | "third"

/** The label and the colour of an option of a select, or of a stage. */
export interface ChoicePresentation {
  readonly label: Text | undefined
  readonly color: string | undefined
  readonly description: Text | undefined
}

export const PLAIN_CHOICE: ChoicePresentation = Object.freeze({
  label: undefined,
  color: undefined,
  description: undefined,
})

/** The texts, list and form of a collection or global, for the people who work with its records. */
export interface ResourcePresentation {
  readonly label: Text | undefined
  /** The name of one record. */
  readonly singularLabel: Text | undefined
  readonly description: Text | undefined
  readonly icon: string | undefined
  readonly group: Text | undefined
  readonly list: ListPresentation | undefined
  readonly form: readonly FormPart[] | undefined
  readonly preview: PreviewFunction | undefined
}

export const PLAIN_RESOURCE_PRESENTATION: ResourcePresentation = Object.freeze({
  label: undefined,
  singularLabel: undefined,
  description: undefined,
  icon: undefined,
  group: undefined,
  list: undefined,
  form: undefined,
  preview: undefined,
})

export interface ListPresentation {
  readonly columns?: readonly string[]
  readonly orderBy?: Readonly<Record<string, "asc" | "desc">>
  /** The fields that are offered as filters. */
  readonly filters?: readonly string[]
  readonly views?: readonly ListView[]
}

interface ListView {
  readonly label: Text
  readonly where?: WhereInput
  readonly orderBy?: Readonly<Record<string, "asc" | "desc">>
  readonly columns?: readonly string[]
}

export type FormPart =
  | string
  | { readonly kind: "tab" | "section"; readonly label: Text; readonly parts: readonly FormPart[] }
  | { readonly kind: "side"; readonly parts: readonly FormPart[] }

/** The argument of the function that returns the address of a page that shows a record. */
interface PreviewContext {
  readonly record: Readonly<Record<string, unknown>>
  readonly locale: string
  readonly stage: string | null
}

export type PreviewFunction = (context: PreviewContext) => string | null | Promise<string | null>
