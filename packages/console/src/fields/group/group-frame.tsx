import { type ReactNode, useId } from "react"
import { useForm } from "../../form/form-context.ts"
import { pathText } from "../../form/path.ts"
import type { GroupProps, PartProps } from "./group-props.ts"
import { useOwnProblem } from "./use-problems.ts"

interface GroupFrameProps extends PartProps, Pick<GroupProps, "mark"> {
  /** Stands at the end of the line of the label: a count, a state or an action. */
  readonly note?: ReactNode
  readonly className?: string
  /** The id of the label, if something inside is named by it, too. */
  readonly labelId?: string
  readonly children: ReactNode
}

/** The label, the hint and the problems around a value with parts of its own. */
export function GroupFrame({ part, path, mark, note, className = "", labelId, children }: GroupFrameProps) {
  const id = useId()
  const { isReadOnly } = useForm()
  const problem = useOwnProblem(path)
  const described = [part.description && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ")
  return (
    <fieldset
      className={`field group ${className}`}
      data-path={pathText(path)}
      aria-labelledby={labelId ?? id}
      aria-describedby={described || undefined}
      tabIndex={-1}
    >
      <div className="group-head">
        <span className="label" id={labelId ?? id}>
          {part.label}
          {part.required && !isReadOnly(path[0]) && (
            <span className="required" aria-hidden>
              •
            </span>
          )}
        </span>
        {mark}
        <span className="rest" />
        {note}
      </div>
      {part.description && (
        <span className="hint" id={`${id}-hint`}>
          {part.description}
        </span>
      )}
      {children}
      {problem && (
        <span className="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </fieldset>
  )
}
