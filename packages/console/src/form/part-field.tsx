import type { PartSchema } from "kit/client"
import { useId } from "react"
import { EDITS, GROUP_EDITS } from "../fields/edits.ts"
import { useForm, useValue } from "./form-context.ts"
import { type Path, pathText } from "./path.ts"

interface PartFieldProps {
  readonly part: PartSchema
  readonly path: Path
}

/** A value with its label, its hint and its problems: a field of the record, or a part of one. */
export function PartField({ part, path }: PartFieldProps) {
  const GroupEdit = GROUP_EDITS[part.type]
  return GroupEdit ? <GroupEdit part={part} path={path} Part={PartField} /> : <PlainPartField part={part} path={path} />
}

function PlainPartField({ part, path }: PartFieldProps) {
  const id = useId()
  const { isReadOnly, problemsAt, onLeave } = useForm()
  const [value, setValue] = useValue(path)
  const problems = problemsAt(pathText(path))
  const described = [part.description && `${id}-hint`, problems.length > 0 && `${id}-problem`].filter(Boolean).join(" ")
  const Edit = EDITS[part.type]
  return (
    <div className="field">
      <label htmlFor={id}>
        {part.label}
        {part.required && (
          <span className="required" aria-hidden>
            •
          </span>
        )}
      </label>
      {Edit ? (
        <Edit
          part={part}
          path={path}
          value={value}
          onChange={setValue}
          onLeave={() => onLeave(path)}
          inputId={id}
          describedBy={described || undefined}
          isReadOnly={isReadOnly(path[0])}
          isInvalid={problems.length > 0}
        />
      ) : (
        <pre id={id}>{JSON.stringify(value)}</pre>
      )}
      {part.description && (
        <span className="hint" id={`${id}-hint`}>
          {part.description}
        </span>
      )}
      {problems.length > 0 && (
        <span className="problem" id={`${id}-problem`}>
          {problems.join(" ")}
        </span>
      )}
    </div>
  )
}
