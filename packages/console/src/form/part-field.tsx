import type { PartSchema } from "kit/client"
import { Suspense, useId } from "react"
import type { EditProps } from "../fields/edit-props.ts"
import { EDITS, GROUP_EDITS, SHOWN_AS_TEXT } from "../fields/edits.ts"
import { ValueText } from "../fields/value-text.tsx"
import { useForm, useProblem, useValue } from "./form-context.ts"
import { type Path, pathText } from "./path.ts"

interface PartFieldProps {
  readonly part: PartSchema
  readonly path: Path
}

/** A value with its label, its hint and its problems: a part of a field's value, such as a member of an object. */
export function PartField({ part, path }: PartFieldProps) {
  const GroupEdit = GROUP_EDITS[part.type]
  if (GroupEdit === undefined) return <PlainField part={part} path={path} />
  return (
    <Suspense fallback={<span className="input-on-its-way" />}>
      <GroupEdit part={part} path={path} Part={PartField} />
    </Suspense>
  )
}

function PlainField({ part, path }: PartFieldProps) {
  const { isReadOnly } = useForm()
  const edit = usePartEdit(part, path)
  return (
    <div className="field" data-path={pathText(path)} data-width={part.width ?? undefined}>
      <PartLabel part={part} edit={edit} />
      <PartValue edit={edit} isReadOnly={isReadOnly(path[0])} />
      <PartNotes part={part} edit={edit} />
    </div>
  )
}

/** What the editor of a value gets, and the text of its problems. */
export interface PartEdit extends EditProps {
  readonly problem: string
}

/** Connects a value with the form around it. */
export function usePartEdit(part: PartSchema, path: Path): PartEdit {
  const inputId = useId()
  const { isReadOnly, onLeave } = useForm()
  const [value, setValue] = useValue(path)
  const problem = useProblem(path, Boolean(part.fields ?? part.blocks ?? part.items?.fields))
  const described = [part.description && `${inputId}-hint`, problem && `${inputId}-problem`].filter(Boolean).join(" ")
  return {
    part,
    path,
    value,
    problem,
    onChange: setValue,
    onLeave: () => onLeave(path),
    inputId,
    labelId: `${inputId}-label`,
    describedBy: described || undefined,
    isReadOnly: isReadOnly(path[0]),
    isInvalid: problem !== "",
  }
}

export function PartLabel({ part, edit }: { readonly part: PartSchema; readonly edit: PartEdit }) {
  return (
    <label htmlFor={edit.inputId} id={edit.labelId} className="label">
      {part.label}
      {part.required && !edit.isReadOnly && (
        <span className="required" aria-hidden>
          {" "}
          •
        </span>
      )}
    </label>
  )
}

/** The editor of the value, or its text where it cannot be edited. */
export function PartValue({ edit, isReadOnly }: { readonly edit: PartEdit; readonly isReadOnly: boolean }) {
  const { part, value, labelId } = edit
  const Edit = EDITS[part.type]
  if (Edit && !(isReadOnly && SHOWN_AS_TEXT.has(part.type))) {
    return (
      <Suspense fallback={<span className="input-on-its-way" />}>
        <Edit {...edit} />
      </Suspense>
    )
  }
  return (
    <fieldset className="value-text" aria-labelledby={labelId}>
      <ValueText part={part} value={value} />
    </fieldset>
  )
}

export function PartNotes({ part, edit }: { readonly part: PartSchema; readonly edit: PartEdit }) {
  const { inputId, problem } = edit
  return (
    <>
      {part.description && (
        <span className="hint" id={`${inputId}-hint`}>
          {part.description}
        </span>
      )}
      {problem && (
        <span className="problem" id={`${inputId}-problem`}>
          {problem}
        </span>
      )}
    </>
  )
}
