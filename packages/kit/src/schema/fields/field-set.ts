import type { DeclaredField, Field } from "../builders/field.ts"
import type { LooseResource } from "../compile/resource-types.ts"
import type { CollectionName } from "../context/register.ts"
import type { VocabularyOptions } from "../rich-text/vocabulary.ts"
import { ArrayField } from "./array.ts"
import { Block, type BlocksValue, type DeclaredBlocks } from "./blocks/block.ts"
import { BlocksField } from "./blocks/blocks.ts"
import { BooleanField } from "./boolean.ts"
import { ComputedField, type ComputedRow, type ComputedValue } from "./computed.ts"
import { DateField } from "./date.ts"
import { DatetimeField } from "./datetime.ts"
import { EMAIL_FORMAT, EMAIL_MAX_CHARACTERS } from "./email.ts"
import { JsonField } from "./json.ts"
import { NumberField } from "./number.ts"
import { type DeclaredMembers, ObjectField, type ObjectValue } from "./object.ts"
import { RelationField } from "./relation.ts"
import { RichTextField } from "./rich-text.ts"
import { type OptionDefinition, SelectField, selectRules } from "./select.ts"
import { TextareaField, TextField } from "./text.ts"
import { TimeField } from "./time.ts"
import { URL_FORMAT, URL_MAX_CHARACTERS } from "./url.ts"
import { VirtualField } from "./virtual.ts"

/** The type of `f` in `.fields(({ f }) => …)`: one function for each field type. */
export interface FieldSet<Readable = LooseResource["readable"], Referrers = LooseReferrers> extends PlainFields {
  /**
   * A value computed from the record on every read, and never stored. `row` holds the fields that the caller may read.
   *
   * f.computed(({ row }) => `${row.first} ${row.last}`)
   */
  computed<Value extends ComputedValue, Row = Readable>(
    compute: (context: { readonly row: Row }) => Value,
  ): ComputedField<Value>
  /** A relation to one record of another collection. */
  relation<Target extends CollectionName>(target: Target): RelationField<ReferringField<Referrers, Target>>
}

/**
 * The names of the fields that refer to the collection of the field set, by the collection that declares them. This is
 * their type before `kit generate` has run.
 */
// biome-ignore lint/suspicious/noExplicitAny: every generated type has to be assignable, and every name has to compile.
type LooseReferrers = any

type ReferringField<Referrers, Target> = Target extends keyof Referrers ? Referrers[Target] : NoFieldRefersBack

/** A type whose name is in the compiler's message if no field of the target collection refers to this collection. */
interface NoFieldRefersBack {
  readonly noFieldRefersBack: never
}

// The functions of `f` whose types are the same in every collection, so that the compiler checks them only once.
interface PlainFields {
  /** A string of at most `max` characters. */
  text(max?: number): TextField
  /** A string of any length. */
  textarea(): TextareaField
  email(): TextField
  /** A URL that starts with http or https. */
  url(): TextField
  /** A floating-point number. `.integer()`, `.bigint()` and `.decimal(precision, scale)` store other numbers. */
  number(): NumberField<number>
  boolean(): BooleanField
  /** A calendar day, such as `2026-05-04`. */
  date(): DateField
  /** A time of day, such as `10:30` or `10:30:15`. */
  time(): TimeField
  /** A timestamp with milliseconds. */
  datetime(): DatetimeField
  /**
   * One of these options. With `.multiple()`, the value is a list of any number of them.
   *
   * f.select(["idea", { value: "done", label: "Done", color: "green" }])
   */
  select<const Option extends string>(options: readonly (Option | OptionDefinition<Option>)[]): SelectField<Option>
  /** Any JSON value. The author can give its type: `f.json<{ theme: string }>()`. */
  json<Value = unknown>(): JsonField<Value>
  /** An object with named members, each with its own field type: `f.object({ street: f.text().required() })`. */
  object<const Members extends DeclaredMembers>(members: Members): ObjectField<ObjectValue<Members>>
  /** A list whose items have one field type: `f.array(f.text(40))`. */
  array<Element extends DeclaredField>(element: Element): ArrayField<Element["value"]>
  /**
   * A list of blocks of different shapes, such as the parts of a page. Each item is `{ type, id, … }` with the members of
   * its block.
   *
   * f.blocks({ hero: { heading: f.text(120).required() }, quote: { text: f.textarea().required() } })
   */
  blocks<const Blocks extends DeclaredBlocks>(blocks: Blocks): BlocksField<BlocksValue<Blocks>>
  /** A block of `f.blocks({ … })` with texts for people: `f.block({ text: f.textarea() }).label("Quote")`. */
  block<const Members extends DeclaredMembers>(members: Members): Block<Members>
  /**
   * A document from a rich text editor, with the names of nodes and marks that it may have.
   *
   * f.richText({ nodes: ["paragraph", "heading"], marks: ["strong", "link"] })
   */
  richText(vocabulary?: VocabularyOptions): RichTextField
  /**
   * The value of an SQL expression over the record's row, never stored. Column names must be in double quotes.
   *
   * f.virtual(f.number().integer().required(), 'length("title")')
   */
  virtual<Type extends DeclaredField>(type: Type, sql: string): VirtualField<Type["value"]>
  /** A relation to one record of a collection of files, which is a collection that has `.upload({ … })`. */
  upload(target: CollectionName): RelationField
}

// The casts below are safe: authors make fields only with `f`, and the app's check reports any other value.
export const fieldSet: FieldSet = Object.freeze({
  text: (max?: number) => new TextField(max === undefined ? { name: "text" } : { name: "text", max }),
  textarea: () => new TextareaField({ name: "textarea" }),
  email: () => new TextField({ name: "email", max: EMAIL_MAX_CHARACTERS, format: EMAIL_FORMAT }),
  url: () => new TextField({ name: "url", max: URL_MAX_CHARACTERS, format: URL_FORMAT }),
  number: () => new NumberField<number>({ storage: { kind: "double" } }),
  boolean: () => new BooleanField({}),
  date: () => new DateField({}),
  time: () => new TimeField({}),
  datetime: () => new DatetimeField({}),
  select: <const Option extends string>(options: readonly (Option | OptionDefinition<Option>)[]) =>
    new SelectField<Option>(selectRules(options)),
  json: <Value = unknown>() => new JsonField<Value>({}),
  object: <const Members extends DeclaredMembers>(members: Members) =>
    new ObjectField<ObjectValue<Members>>({ members: members as DeclaredMembers as Readonly<Record<string, Field>> }),
  array: <Element extends DeclaredField>(element: Element) =>
    new ArrayField<Element["value"]>({ element: element as DeclaredField as Field }),
  blocks: <const Blocks extends DeclaredBlocks>(blocks: Blocks) => new BlocksField<BlocksValue<Blocks>>({ blocks }),
  block: <const Members extends DeclaredMembers>(members: Members) => new Block(members),
  richText: (vocabulary: VocabularyOptions = {}) => new RichTextField(vocabulary),
  virtual: <Type extends DeclaredField>(type: Type, sql: string) =>
    new VirtualField<Type["value"]>({ type: type as DeclaredField as Field, sql }, type?.traits),
  relation: (target: string) => new RelationField({ target }),
  upload: (target: string) => new RelationField({ target, isUpload: true }),
  computed: <Value extends ComputedValue, Row>(compute: (context: { readonly row: Row }) => Value) =>
    // The cast is safe: `compute` gets only rows of its own resource, and the author's type for the row is trusted.
    new ComputedField<Value>({ compute: compute as (context: { readonly row: ComputedRow }) => Value }),
})
