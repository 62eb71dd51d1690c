import type { Direction, WhereInput } from "../../wire/options/query-options.ts"
import type { LooseResource } from "../compile/resource-types.ts"
import type { RegisteredLocale } from "../context/register.ts"

/** A text for people: one for all locales, or one per locale, such as `{ en: "Articles", sk: "Články" }`. */
export type Text = string | { readonly [locale: string]: string | undefined }

/** A text as an author writes it. After `kit generate`, it has only the locales of the app. */
export type AuthorText = string | { readonly [Locale in RegisteredLocale]?: string }

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

export const FIELD_WIDTHS = ["full", "half", "third"] as const

/** The part of a form's width that a field takes. */
export type FieldWidth = (typeof FIELD_WIDTHS)[number]

/**
 * The colours of options and stages. They are names, so that a user interface can choose shades that are legible on its
 * light and on its dark background.
 */
export const COLORS = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"] as const

export type Color = (typeof COLORS)[number]

/** The label and the colour of an option of a select, or of a stage. */
export interface ChoicePresentation {
  readonly label: Text | undefined
  readonly color: Color | undefined
  readonly description: Text | undefined
}

export const PLAIN_CHOICE: ChoicePresentation = Object.freeze({
  label: undefined,
  color: undefined,
  description: undefined,
})

/** The texts and the icon of a block, as the author declares them. */
export interface BlockPresentation {
  readonly label: Text | undefined
  readonly description: Text | undefined
  readonly icon: string | undefined
}

export const PLAIN_BLOCK: BlockPresentation = Object.freeze({
  label: undefined,
  description: undefined,
  icon: undefined,
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

/** How a list of a collection's records should look. */
export interface ListPresentation<
  Column extends PropertyKey = string,
  Order = LooseOrder,
  Where extends object = WhereInput,
  Label = Text,
> {
  /** The fields that are shown, in this order. */
  readonly columns?: readonly Column[]
  readonly orderBy?: Directions<Order>
  /** The fields that are offered as filters. */
  readonly filters?: readonly Exclude<keyof Where & string, "AND" | "OR" | "NOT">[]
  /** Lists with a name, each with a filter, order or columns of its own. */
  readonly views?: readonly ListView<Column, Order, Where, Label>[]
}

/** The argument of `.list()` on the generated builder of the collection with these types. */
export type ListOf<Types extends ListedTypes> = ListPresentation<
  FieldOf<Types>,
  Types["orderBy"],
  Types["where"],
  AuthorText
>

/** The generated types of a resource that say which fields callers may see. */
export interface PresentedTypes {
  readonly record: object
  readonly relations: object
}

interface ListedTypes extends PresentedTypes {
  readonly orderBy: object
  readonly where: object
}

/** The names of the fields that callers may see. Relations to many records are no part of `record`. */
export type FieldOf<Types extends PresentedTypes> = keyof Types["record"] | keyof Types["relations"]

interface ListView<Column, Order, Where, Label> {
  readonly label: Label
  readonly where?: Where
  readonly orderBy?: Directions<Order>
  readonly columns?: readonly Column[]
}

type LooseOrder = Readonly<Record<string, Direction>>

type Directions<Order> = { readonly [Name in keyof Order]?: Direction }

/** A part of a form: the name of a field, or a group of fields. */
export type FormPart<Name extends PropertyKey = string> = Name | FormGroup

/** A group of fields in a form. The tools of `.form(({ tab, section, side }) => …)` make it. */
export type FormGroup =
  | { readonly kind: "tab" | "section"; readonly label: Text; readonly parts: readonly FormPart[] }
  | { readonly kind: "side"; readonly parts: readonly FormPart[] }

/** The argument of the function that returns the address of a page that shows a record. */
interface PreviewContext<Shown = LooseResource["readable"], Stage = string, Locale = string> {
  /** The record, with the fields that the caller may read. */
  readonly record: Readonly<Shown>
  readonly locale: Locale
  /** The stage of the record that is shown; null without a workflow. */
  readonly stage: Stage | null
}

/** The argument of `.preview()` on a generated builder. */
export type PreviewOf<Shown, Stage> = PreviewFunction<PreviewContext<Shown, Stage, RegisteredLocale>>

export type PreviewFunction<Context = PreviewContext> = (context: Context) => string | null | Promise<string | null>
