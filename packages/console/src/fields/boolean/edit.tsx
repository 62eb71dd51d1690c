import { Checkbox } from "../../parts/inputs/checkbox.tsx"
import { ClearButton } from "../../parts/inputs/clear-button.tsx"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"

/** Edits yes or no. Where there need not be a value, it can be taken away again. */
export function BooleanEdit(props: EditProps) {
  const { part, value, onChange, onLeave, labelId, describedBy, isReadOnly, isInvalid } = props
  const words = useWords("record")
  const text = value === true ? words.yes : value === false ? words.no : words.notSet
  return (
    <div className="with-clear">
      <Checkbox
        aria-labelledby={labelId}
        {...(describedBy && { "aria-describedby": describedBy })}
        isSelected={value === true}
        isInvalid={isInvalid}
        isReadOnly={isReadOnly}
        onChange={onChange}
        onBlur={onLeave}
      >
        <span className={typeof value === "boolean" ? undefined : "none"}>{text}</span>
      </Checkbox>
      {typeof value === "boolean" && !part.required && !isReadOnly && (
        <ClearButton label={part.label} onPress={() => onChange(null)} />
      )}
    </div>
  )
}
