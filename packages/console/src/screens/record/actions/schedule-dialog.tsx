import { fromDate, getLocalTimeZone, toZoned, type ZonedDateTime } from "@internationalized/date"
import { type FormEvent, useId, useState } from "react"
import { Button } from "../../../parts/button.tsx"
import { Dialog } from "../../../parts/dialog.tsx"
import { DateField } from "../../../parts/inputs/date-field.tsx"
import { useWords } from "../../../words/words.ts"

const HOUR_MS = 3_600_000

interface ScheduleDialogProps {
  /** The label of the stage to which the record is moved. */
  readonly stage: string
  readonly onClose: () => void
  readonly onSchedule: (time: Date) => void
}

/** Asks at which time the record is moved to the stage, in the zone of the person, which is named. */
export function ScheduleDialog({ stage, onClose, onSchedule }: ScheduleDialogProps) {
  const words = useWords("record")
  const shell = useWords("shell")
  const labelId = useId()
  const [time, setTime] = useState<ZonedDateTime | null>(nextHour)
  const [isPast, setIsPast] = useState(false)

  function send(event: FormEvent) {
    event.preventDefault()
    if (time === null) return
    const date = time.toDate()
    if (date.getTime() <= Date.now()) setIsPast(true)
    else onSchedule(date)
  }

  return (
    <Dialog title={words.scheduleTitle(stage)} isOpen onClose={onClose}>
      <form onSubmit={send} className="dialog-form">
        <div className="field">
          <span className="label" id={labelId}>
            {words.scheduleWhen}
          </span>
          <DateField
            labelledBy={labelId}
            describedBy={isPast ? `${labelId}-past` : undefined}
            value={time}
            placeholder={nextHour()}
            isInvalid={isPast}
            isRequired
            autoFocus
            onChange={(value) => {
              setIsPast(false)
              setTime(value === null ? null : toZoned(value, getLocalTimeZone()))
            }}
          />
          {isPast && (
            <span className="problem" id={`${labelId}-past`} role="alert">
              {words.schedulePast}
            </span>
          )}
        </div>
        <div className="dialog-actions">
          <Button onPress={onClose}>{shell.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={time === null}>
            {words.schedule}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function nextHour(): ZonedDateTime {
  return fromDate(new Date(Date.now() + HOUR_MS), getLocalTimeZone()).set({ minute: 0, second: 0, millisecond: 0 })
}
