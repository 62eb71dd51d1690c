import { type FieldSchema, matchesWhere } from "kit/client"
import { type ComponentType, Suspense, useMemo } from "react"
import { GROUP_EDITS, TOGETHER_EDITS } from "../../../fields/edits.ts"
import type { GroupProps } from "../../../fields/group/group-props.ts"
import { plainText, ValueText } from "../../../fields/value-text.tsx"
import { useFieldState, useForm } from "../../../form/form-context.ts"
import { PartField, PartLabel, PartNotes, PartValue, usePartFrame } from "../../../form/part-field.tsx"
import type { Path } from "../../../form/path.ts"
import { useTextLanguage } from "../../../form/text-language.ts"
import { useContentLocales } from "../../../kit/locales/use-content-locales.ts"
import { PartBoundary } from "../../../parts/boundaries.tsx"
import { LocaleMark } from "../../../parts/locale-marks.tsx"
import { useWords } from "../../../words/words.ts"
import { isMissing } from "../languages/filled-locales.ts"
import { ConflictCard } from "./conflict-card.tsx"
import { TitleValue } from "./title-value.tsx"

interface RecordFieldProps {
  readonly field: FieldSchema
  /** A property stands at the side, beside its label. The title is a line of the document. */
  readonly look: "field" | "property" | "title"
}

/** A field of the record, while its condition holds. If its editor fails, the others go on. */
export function RecordField({ field, look }: RecordFieldProps) {
  return (
    <PartBoundary name={field.label}>
      <ConditionalField field={field} look={look} />
    </PartBoundary>
  )
}

function ConditionalField({ field, look }: RecordFieldProps) {
  const { store } = useForm()
  const isShown = useFieldState(
    null,
    () => field.visible === null || matchesWhere(field.visible, store.values()) !== false,
  )
  const GroupEdit = useGroupEdit(field)
  if (!isShown) return null
  return GroupEdit ? <GroupField field={field} edit={GroupEdit} /> : <ShownField field={field} look={look} />
}

/** Returns the editor of a field that draws its label itself: it has parts, pages of text, or several writers. */
function useGroupEdit(field: FieldSchema): ComponentType<GroupProps> | undefined {
  const { recordId, resource } = useForm()
  // A record that does not exist yet is written by one person.
  const isTogether = field.collaborative && (recordId !== null || resource.kind === "global")
  return (isTogether ? TOGETHER_EDITS : GROUP_EDITS)[field.type]
}

function GroupField({ field, edit: Edit }: { readonly field: FieldSchema; readonly edit: ComponentType<GroupProps> }) {
  const part = usePart(field)
  const path = useMemo((): Path => [field.name], [field.name])
  return (
    <div className="group-field" data-width={field.width ?? undefined}>
      <Suspense fallback={<span className="input-on-its-way" />}>
        <Edit part={part} path={path} Part={PartField} mark={<FieldMarks field={field} />} />
      </Suspense>
      <FieldNotes field={field} />
      <ConflictCard field={field} />
    </div>
  )
}

function ShownField({ field, look }: RecordFieldProps) {
  const part = usePart(field)
  const frame = usePartFrame(part, [field.name])
  const isTitle = look === "title"
  return (
    <div
      className={look === "property" ? "property" : "field"}
      data-path={field.name}
      data-width={field.width ?? undefined}
    >
      <div className="label-line">
        <PartLabel frame={frame} />
        <FieldMarks field={field} />
      </div>
      <div className="field-value" {...useTextLanguage(field.name)}>
        {isTitle ? <TitleValue frame={frame} /> : <PartValue frame={frame} />}
        <PartNotes frame={frame} />
        <FieldNotes field={field} />
        <ConflictCard field={field} />
      </div>
    </div>
  )
}

/** Returns the description of the field in this form: that of a translation may be left out, and shows what it translates. */
function usePart(field: FieldSchema): FieldSchema {
  const { store, fallbackOf, recordId, resource } = useForm()
  const fallback = fallbackOf(field.name)
  const isStored = recordId !== null || resource.kind === "global"
  const isOptional = isStored && field.required && store.isTranslation(field.name)
  return useMemo(() => {
    const part = isOptional ? { ...field, required: false } : field
    // The text that readers see while this one is missing stands in its place, and is not written itself.
    const placeholder = fallback === undefined ? "" : shortened(plainText(fallback), field.type)
    return placeholder === "" ? part : { ...part, placeholder }
  }, [field, isOptional, fallback])
}

// The placeholder of a rich text has one line.
function shortened(text: string, type: string): string {
  const line = text.replace(/\s+/g, " ")
  if (type !== "richText") return text
  return line.length > PLACEHOLDER_MAX ? `${line.slice(0, PLACEHOLDER_MAX)}…` : line
}

const PLACEHOLDER_MAX = 60

/** The marks beside the label of a field. */
function FieldMarks({ field }: { readonly field: FieldSchema }) {
  const words = useWords("versions")
  const { differs } = useForm()
  return (
    <>
      <TextLanguage field={field} />
      {differs?.(field.name) && <span className="differs">{words.differsMark}</span>}
    </>
  )
}

/** Says in which language a localized text is edited, in apps of several languages, and whose text stands in its place. */
function TextLanguage({ field }: { readonly field: FieldSchema }) {
  const words = useWords("record")
  const { locale, store, fallbackOf, originOf } = useForm()
  const content = useContentLocales()
  const hasNoText = useFieldState(field.name, () => isMissing(store.read([field.name])))
  const fallback = fallbackOf(field.name)
  if (!field.localized || content.length < 2) return null
  const shown = content.find((each) => each.locale === locale)
  const origin = hasNoText && fallback !== undefined ? originOf(field.name, fallback) : undefined
  const from = content.find((each) => each.locale === origin)
  return (
    <>
      {shown && <LocaleMark of={shown} isFilled={!hasNoText} />}
      {from && (
        <span className="hint">
          {words.fromLanguage(from.name)}
          {plainText(fallback) === "" && <ValueText part={field} value={fallback} />}
        </span>
      )}
    </>
  )
}

function FieldNotes({ field }: { readonly field: FieldSchema }) {
  const words = useWords("record")
  const { recordId } = useForm()
  if (recordId === null) return null
  if (field.access.read === false) return <span className="hint">{words.writeOnly}</span>
  return null
}
