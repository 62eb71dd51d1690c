import {
  fromDate,
  getLocalTimeZone,
  parseDate,
  parseTime,
  Time,
  toCalendarDate,
  toZoned,
  type ZonedDateTime,
} from "@internationalized/date"
import type { ReactNode } from "react"
import { useForm } from "../../form/form-context.ts"
import { ClearButton } from "../../parts/inputs/clear-button.tsx"
import { DateField, TimeField } from "../../parts/inputs/date-field.tsx"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"

const MIDNIGHT = new Time(0, 0)

/** Edits a day, which has no zone. */
export function DateEdit(props: EditProps) {
  const { value, onChange } = props
  return (
    <WithClear {...props}>
      <DateField
        {...useFieldProps(props)}
        value={typeof value === "string" ? parseDate(value) : null}
        placeholder={toCalendarDate(now())}
        onChange={(date) => onChange(date === null ? null : toCalendarDate(date).toString())}
      />
    </WithClear>
  )
}

/** Edits a time of the day, which has no zone. */
export function TimeEdit(props: EditProps) {
  const { value, onChange } = props
  return (
    <WithClear {...props}>
      <TimeField
        {...useFieldProps(props)}
        value={typeof value === "string" ? parseTime(value) : null}
        onChange={(time) => onChange(time === null ? null : new Time(time.hour, time.minute, time.second).toString())}
      />
    </WithClear>
  )
}

/** Edits a moment, in the zone of the person, which is named. */
export function DatetimeEdit(props: EditProps) {
  const { value, onChange } = props
  const zone = getLocalTimeZone()
  return (
    <WithClear {...props}>
      <DateField
        {...useFieldProps(props)}
        value={value instanceof Date ? fromDate(value, zone) : null}
        placeholder={now().set({ hour: 0, minute: 0 })}
        onChange={(moment) => onChange(moment === null ? null : toZoned(moment, zone).toDate())}
      />
    </WithClear>
  )
}

function now(): ZonedDateTime {
  return fromDate(new Date(), getLocalTimeZone()).set(MIDNIGHT)
}

function useFieldProps(props: EditProps) {
  const { path, part, labelId, describedBy, isInvalid, onLeave } = props
  const words = useWords("record")
  const { store } = useForm()
  return {
    labelledBy: labelId,
    describedBy,
    isInvalid,
    isRequired: part.required,
    onLeave(isComplete: boolean) {
      if (!isComplete) store.writeUnparsed(path, { text: "", problem: words.noDate })
      onLeave()
    },
  }
}

function WithClear({ part, value, onChange, children }: EditProps & { readonly children: ReactNode }) {
  return (
    <div className="with-clear">
      {children}
      {value !== null && value !== undefined && !part.required && (
        <ClearButton label={part.label} onPress={() => onChange(null)} />
      )}
    </div>
  )
}
