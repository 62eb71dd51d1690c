import type { PartSchema } from "kit/client"
import { Suspense, useId } from "react"
import type { EditProps } from "../fields/edit-props.ts"
import { EDITS, GROUP_EDITS, SHOWN_AS_TEXT } from "../fields/edits.ts"
import { ValueText } from "../fields/value-text.tsx"
import { PartBoundary } from "../parts/boundaries.tsx"
import { useForm, useProblem, useValue } from "./form-context.ts"
import { type Path, pathText } from "./path.ts"
import { pageLanguage, useTextLanguage } from "./text-language.ts"

interface PartFieldProps {
  readonly part: PartSchema
  readonly path: Path
}

/** A value with its label, its hint and its problems: a part of a field's value, such as a member of an object. */
export function PartField(place: PartFieldProps) {
  return (
    <PartBoundary name={place.part.label}>
      <AnyField {...place} />
    </PartBoundary>
  )
}

function AnyField({ part, path }: PartFieldProps) {
  const GroupEdit = GROUP_EDITS[part.type]
  if (GroupEdit === undefined) return <PlainField part={part} path={path} />
  return (
    <Suspense fallback={<span className="input-on-its-way" />}>
      <GroupEdit part={part} path={path} Part={PartField} />
    </Suspense>
  )
}

function PlainField({ part, path }: PartFieldProps) {
  const frame = usePartFrame(part, path)
  return (
    <div
      className="field"
      data-path={pathText(path)}
      data-width={part.width ?? undefined}
      {...useTextLanguage(path[0])}
    >
      <PartLabel frame={frame} />
      <PartValue frame={frame} />
      <PartNotes frame={frame} />
    </div>
  )
}

/** All that an editor gets, except the value: a keystroke does not render it again. */
export interface PartFrame extends Omit<EditProps, "value" | "onChange"> {
  readonly problem: string
}

/** Connects a part with the form around it. */
export function usePartFrame(part: PartSchema, path: Path): PartFrame {
  const inputId = useId()
  const { isReadOnly, onLeave } = useForm()
  const problem = useProblem(path, Boolean(part.fields ?? part.blocks ?? part.items?.fields))
  const described = [part.description && `${inputId}-hint`, problem && `${inputId}-problem`].filter(Boolean).join(" ")
  return {
    part,
    path,
    problem,
    onLeave: () => onLeave(path),
    inputId,
    labelId: `${inputId}-label`,
    describedBy: described || undefined,
    isReadOnly: isReadOnly(path[0]),
    isInvalid: problem !== "",
  }
}

interface FrameProps {
  readonly frame: PartFrame
}

export function PartLabel({ frame: { part, inputId, labelId, isReadOnly } }: FrameProps) {
  return (
    <label htmlFor={inputId} id={labelId} className="label" {...pageLanguage()}>
      {part.label}
      {part.required && !isReadOnly && (
        <span className="required" aria-hidden>
          {" "}
          •
        </span>
      )}
    </label>
  )
}

/** The editor of the value, or its text where it cannot be edited. */
export function PartValue({ frame: { problem, ...frame } }: FrameProps) {
  const { part, path, labelId, isReadOnly } = frame
  const [value, setValue] = useValue(path)
  const Edit = EDITS[part.type]
  if (Edit && !(isReadOnly && SHOWN_AS_TEXT.has(part.type))) {
    return (
      <Suspense fallback={<span className="input-on-its-way" />}>
        <Edit {...frame} value={value} onChange={setValue} />
      </Suspense>
    )
  }
  return (
    <fieldset className="value-text" aria-labelledby={labelId}>
      <ValueText part={part} value={value} />
    </fieldset>
  )
}

export function PartNotes({ frame: { part, inputId, problem } }: FrameProps) {
  return (
    <>
      {part.description && (
        <span className="hint" id={`${inputId}-hint`} {...pageLanguage()}>
          {part.description}
        </span>
      )}
      {problem && (
        <span className="problem" id={`${inputId}-problem`} {...pageLanguage()}>
          {problem}
        </span>
      )}
    </>
  )
}
