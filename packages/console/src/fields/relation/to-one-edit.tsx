import { useLive } from "kit/react"
import { ChevronDown, Pencil, X } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { Link } from "wouter"
import { useForm } from "../../form/form-context.ts"
import { type ConsoleRecord, collectionHandle } from "../../kit/resources.ts"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"
import type { Face } from "./face.ts"
import { RecordPicker } from "./picker/record-picker.tsx"
import { FaceMark } from "./record-face.tsx"
import { RelatedDrawer } from "./related-drawer.tsx"
import { workingStage } from "./stage.ts"
import { mayUpdate, useNewRecord } from "./use-new-record.ts"
import { type Target, useTarget } from "./use-target.ts"

interface ToOneProps extends EditProps {
  /** The related collection, which the person may read. */
  readonly collection: string
}

/** Edits the id of a related record: its title as a link, and a picker in its place while another one is looked for. */
export function ToOneEdit(props: ToOneProps) {
  const { part, value, collection, isReadOnly, onChange, onLeave } = props
  const words = useWords("relations")
  const { locale } = useForm()
  const target = useTarget(collection)
  const [isPicking, setIsPicking] = useState(false)
  // The picker has the focus, and gives it to what takes its place.
  const hasPicked = useRef(false)
  const id = typeof value === "string" ? value : null
  const choose = ({ id: chosen }: { readonly id: string }) => {
    hasPicked.current = true
    setIsPicking(false)
    onChange(chosen)
  }
  const creation = useNewRecord(target, { locale, onCreated: choose })
  if (isReadOnly && id === null) return <span className="none">{words.none}</span>
  const pick = () => {
    hasPicked.current = true
    setIsPicking(true)
  }
  if (id !== null && !isPicking && creation.opened === null) {
    return <ChosenRecord {...props} id={id} target={target} onPick={pick} isPicked={hasPicked.current} />
  }
  return (
    <>
      <RecordPicker
        target={target}
        locale={locale}
        label={part.label}
        inputId={props.inputId}
        describedBy={props.describedBy}
        isInvalid={props.isInvalid}
        isRequired={part.required}
        placeholder={part.placeholder ?? words.find(target?.schema.singularLabel ?? "")}
        isOpenFromStart={isPicking}
        onChoose={choose}
        onCreate={creation.create}
        onBackspace={() => onChange(null)}
        onClose={() => creation.opened ?? setIsPicking(false)}
        onLeave={onLeave}
      />
      {creation.opened && (
        <RelatedDrawer
          collection={collection}
          id={null}
          values={creation.opened.values}
          onSaved={choose}
          onClose={creation.close}
        />
      )}
    </>
  )
}

interface ChosenProps extends ToOneProps {
  readonly id: string
  readonly target: Target | undefined
  readonly onPick: () => void
  /** True after the person has used the picker, which had the focus. */
  readonly isPicked: boolean
}

function ChosenRecord(props: ChosenProps) {
  const { id, target, collection, part, inputId, describedBy, isReadOnly, onChange, onPick, isPicked } = props
  const words = useWords("relations")
  const { locale } = useForm()
  const face = useFace(target, { id, locale })
  const [isEditing, setIsEditing] = useState(false)
  const mayEdit = target !== undefined && mayUpdate(target.schema)
  const change = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The picker has gone, and the focus with it, unless the person has left it by Tab or a press.
    if (isPicked && document.activeElement === document.body) change.current?.focus()
  }, [isPicked])
  const title = face === null ? words.notThere : (face?.title ?? words.untitled)
  return (
    <div className="chosen-one">
      <Link className="chosen-link" href={recordPath(collection, id)}>
        {face && <FaceMark face={face} target={target} />}
        <span>{face === undefined ? "" : title}</span>
      </Link>
      {!isReadOnly && (
        <span className="chosen-actions">
          {face && mayEdit && (
            <Button look="icon" aria-label={words.edit(title)} onPress={() => setIsEditing(true)}>
              <Icon of={Pencil} />
            </Button>
          )}
          <Button
            ref={change}
            id={inputId}
            look="icon"
            aria-label={`${words.change(part.label)}: ${title}`}
            {...(describedBy && { "aria-describedby": describedBy })}
            onPress={onPick}
          >
            <Icon of={ChevronDown} />
          </Button>
          <Button look="icon" aria-label={words.clear(part.label)} onPress={() => onChange(null)}>
            <Icon of={X} />
          </Button>
        </span>
      )}
      {isEditing && <RelatedDrawer collection={collection} id={id} onClose={() => setIsEditing(false)} />}
    </div>
  )
}

/** Follows the face of a record: undefined until it is read, and null if the person may not see the record. */
function useFace(target: Target | undefined, { id, locale }: { id: string; locale: string }): Face | null | undefined {
  const stage = target && workingStage(target.schema)
  const { data } = useLive(
    collectionHandle(target?.schema.name ?? "_none").record(id),
    target ? { columns: target.reading.columns, with: target.reading.with, locale, ...(stage && { stage }) } : null,
  )
  if (data === undefined || target === undefined) return undefined
  // The record of a collection that is known by its description only.
  return data === null ? null : target.reading.faceOf(data as ConsoleRecord)
}
