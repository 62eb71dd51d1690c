import { useLocation } from "wouter"
import { useFieldState } from "../../form/form-context.ts"
import { Button } from "../../parts/button.tsx"
import { newRecordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import { carryForm } from "./actions/carried-forms.ts"
import { copyOf } from "./actions/new-values.ts"
import type { RecordActions } from "./actions/use-record-actions.ts"
import { inAddressLocale } from "./address-state.ts"
import type { RecordForm } from "./saving/use-record-form.ts"
import type { RecordRead } from "./use-record.ts"

interface RecordStripsProps {
  readonly recordForm: RecordForm
  readonly read: RecordRead
  readonly actions: RecordActions
}

/** Says above the form what has become of its record: deleted meanwhile, in the trash, out of reach. */
export function RecordStrips({ recordForm, read, actions }: RecordStripsProps) {
  const words = useWords("record")
  const { form, saveState, isNew, place } = recordForm
  const hasEdits = useFieldState(null, () => form.store.editCount() > 0)
  const isInTrash = Boolean(read.record?.["deletedAt"])
  const isGone = read.record === null || saveState.kind === "deleted"
  const { singularLabel } = form.resource
  const deleted = hasEdits ? words.deletedMeanwhile(singularLabel) : words.inTrash(singularLabel)
  const stateText = isInTrash ? deleted : words.outOfReach(singularLabel)
  if (isNew || place.kind === "global") return null
  if (!isInTrash && !isGone) {
    return read.error ? (
      <p className="strip record-strip" role="status">
        {words.sessionLost}
      </p>
    ) : null
  }
  return (
    <div className="strip record-strip" role="alert">
      <span>
        {stateText}
        {hasEdits && ` · ${words.deletedKept}`}
      </span>
      <span className="rest" />
      {actions.restore && <Button onPress={() => void actions.restore?.()}>{words.restoreIt}</Button>}
      <SaveAsNew recordForm={recordForm} />
    </div>
  )
}

/** Keeps what the form shows as a new record. */
function SaveAsNew({ recordForm: { form, place } }: { readonly recordForm: RecordForm }) {
  const words = useWords("record")
  const [, navigate] = useLocation()
  const { store, resource } = form
  if (resource.access.operations.create === false) return null
  const open = () => {
    const copy = copyOf(store, resource, () => true)
    store.discard()
    carryForm(newRecordPath(place.name), copy)
    navigate(inAddressLocale(newRecordPath(place.name), store))
  }
  return <Button onPress={open}>{words.saveAsNew}</Button>
}
