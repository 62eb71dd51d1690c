import { useId } from "react"
import { useForm, useProblem, useValue } from "../../../form/form-context.ts"
import { Button } from "../../../parts/button.tsx"
import { useWords } from "../../../words/words.ts"

/** The id of a new record, in collections whose records get it from those who create them. */
export function IdField() {
  const id = useId()
  const words = useWords("record")
  const { onLeave } = useForm()
  const [value, setValue] = useValue(["id"])
  const problem = useProblem(["id"], false)
  return (
    <div className="field" data-path="id">
      <label className="label" htmlFor={id}>
        {words.id}
      </label>
      <div className="with-clear">
        <input
          className="input mono"
          id={id}
          value={typeof value === "string" ? value : ""}
          aria-describedby={problem ? `${id}-hint ${id}-problem` : `${id}-hint`}
          aria-invalid={problem !== "" || undefined}
          autoComplete="off"
          onChange={(event) => setValue(event.currentTarget.value || null)}
          onBlur={() => onLeave(["id"])}
        />
        <Button onPress={() => setValue(crypto.randomUUID())}>{words.makeId}</Button>
      </div>
      <span className="hint" id={`${id}-hint`}>
        {words.idHint}
      </span>
      {problem && (
        <span className="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </div>
  )
}
