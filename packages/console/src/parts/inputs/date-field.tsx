import { useRef } from "react"
import { DateField as AriaDateField, DateInput, DateSegment, type DateValue } from "react-aria-components/DateField"
import { TimeField as AriaTimeField, type TimeValue } from "react-aria-components/TimeField"

interface FieldProps<Value> {
  readonly value: Value | null
  readonly onChange: (value: Value | null) => void
  readonly labelledBy: string
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
  /** Called when the person leaves the field. It is incomplete if some of its parts are there, but not all. */
  readonly onLeave?: (isComplete: boolean) => void
}

interface DateFieldProps extends FieldProps<DateValue> {
  /** A date, or a date with a time in a zone: the parts that the field shows while it is empty. */
  readonly placeholder: DateValue
}

/** A date, or a date with a time in a zone, as parts that are typed one after the other. */
export function DateField({ placeholder, ...props }: DateFieldProps) {
  const [element, aria] = useAriaProps(props)
  return (
    <AriaDateField {...aria} placeholderValue={placeholder} granularity={"hour" in placeholder ? "minute" : "day"}>
      <DateInput ref={element} className="input date-input">
        {(segment) => <DateSegment segment={segment} className="segment" />}
      </DateInput>
    </AriaDateField>
  )
}

/** A time of the day. */
export function TimeField(props: FieldProps<TimeValue>) {
  const [element, aria] = useAriaProps(props)
  const hasSeconds = props.value !== null && props.value.second !== 0
  return (
    <AriaTimeField {...aria} granularity={hasSeconds ? "second" : "minute"}>
      <DateInput ref={element} className="input date-input">
        {(segment) => <DateSegment segment={segment} className="segment" />}
      </DateInput>
    </AriaTimeField>
  )
}

function useAriaProps<Value>(props: FieldProps<Value>) {
  const element = useRef<HTMLDivElement>(null)
  const { value, onChange, labelledBy, describedBy, isInvalid = false, isRequired = false, autoFocus, onLeave } = props
  const aria = {
    className: "date-field",
    "aria-labelledby": labelledBy,
    ...(describedBy && { "aria-describedby": describedBy }),
    ...(autoFocus && { autoFocus }),
    value,
    onChange,
    isInvalid,
    isRequired,
    validationBehavior: "aria" as const,
    onBlur: () => onLeave?.(isComplete(element.current)),
  }
  return [element, aria] as const
}

function isComplete(field: HTMLElement | null): boolean {
  const segments = [...(field?.querySelectorAll('[role="spinbutton"]') ?? [])]
  const empty = segments.filter((segment) => segment.hasAttribute("data-placeholder"))
  return empty.length === 0 || empty.length === segments.length
}
