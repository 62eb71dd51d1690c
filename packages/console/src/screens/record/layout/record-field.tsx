import { type FieldSchema, matchesWhere } from "kit/client"
import { type ComponentType, Suspense, useMemo } from "react"
import { GROUP_EDITS, TOGETHER_EDITS } from "../../../fields/edits.ts"
import type { GroupProps } from "../../../fields/group/group-props.ts"
import { useFieldState, useForm } from "../../../form/form-context.ts"
import { PartField, PartLabel, PartNotes, PartValue, usePartFrame } from "../../../form/part-field.tsx"
import type { Path } from "../../../form/path.ts"
import { useAppIndex } from "../../../kit/descriptions.ts"
import { PartBoundary } from "../../../parts/boundaries.tsx"
import { useWords } from "../../../words/words.ts"
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
  const path = useMemo((): Path => [field.name], [field.name])
  return (
    <div className="group-field" data-width={field.width ?? undefined}>
      <Suspense fallback={<span className="input-on-its-way" />}>
        <Edit part={field} path={path} Part={PartField} mark={<LocaleMark field={field} />} />
      </Suspense>
      <FieldNotes field={field} />
      <ConflictCard field={field} />
    </div>
  )
}

function ShownField({ field, look }: RecordFieldProps) {
  const { fallbackOf } = useForm()
  const fallback = fallbackOf(field.name)
  // The text that readers see while this one is missing stands in its place, and is not written itself.
  const part = useMemo(
    () => (typeof fallback === "string" ? { ...field, placeholder: fallback } : field),
    [field, fallback],
  )
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
        <LocaleMark field={field} />
      </div>
      <div className="field-value">
        {isTitle ? <TitleValue frame={frame} /> : <PartValue frame={frame} />}
        <PartNotes frame={frame} />
        <FieldNotes field={field} />
        <ConflictCard field={field} />
      </div>
    </div>
  )
}

/** Says in which language a localized text is edited, in apps of several languages. */
function LocaleMark({ field }: { readonly field: FieldSchema }) {
  const words = useWords("record")
  const { locale } = useForm()
  const { locales } = useAppIndex()
  if (!field.localized || locales.all.length < 2) return null
  const language = new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(locale) ?? locale
  return (
    <span className="locale-mark" title={words.localized(language)}>
      {locale}
    </span>
  )
}

function FieldNotes({ field }: { readonly field: FieldSchema }) {
  const words = useWords("record")
  const { recordId } = useForm()
  if (recordId === null) return null
  if (field.access.read === false) return <span className="hint">{words.writeOnly}</span>
  return null
}
