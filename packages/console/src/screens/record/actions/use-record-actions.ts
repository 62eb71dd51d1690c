import { useLocation } from "wouter"
import type { FormStore } from "../../../form/form-store.ts"
import { mayLeave } from "../../../form/leaving.ts"
import { listAddress } from "../../../kit/list-order.ts"
import { findPreviewUrl } from "../../../kit/record-operations.ts"
import { collectionHandle } from "../../../kit/resources.ts"
import { confirm } from "../../../parts/dialog.tsx"
import { toast } from "../../../parts/toast.tsx"
import { newRecordPath, recordPath } from "../../../routes.ts"
import { useWords, type Words } from "../../../words/words.ts"
import { inAddressLocale } from "../address-state.ts"
import type { RecordForm } from "../saving/use-record-form.ts"
import type { RecordRead } from "../use-record.ts"
import { titleOf } from "../use-title.ts"
import { carryForm } from "./carried-forms.ts"
import { copyOf } from "./new-values.ts"

/** The actions on a whole record. One that the person may not do is null. */
export interface RecordActions {
  readonly duplicate: (() => Promise<void>) | null
  readonly remove: (() => Promise<void>) | null
  readonly restore: (() => Promise<void>) | null
  readonly purge: (() => Promise<void>) | null
  readonly discard: () => Promise<void>
  readonly openOnSite: (() => Promise<void>) | null
}

interface RecordActionsInput {
  readonly recordForm: RecordForm
  readonly read: RecordRead
}

export function useRecordActions({ recordForm, read }: RecordActionsInput): RecordActions {
  const words = useWords("record")
  const [, navigate] = useLocation()
  const { form, place, isNew } = recordForm
  const { store, resource, locale } = form
  const id = place.kind === "collection" ? place.id : null
  const isDeleted = Boolean(read.record?.["deletedAt"])
  const allowed = read.rights?.operations ?? {}
  const handle = collectionHandle(place.name)
  const expected = () => {
    const revision = store.baseline["revision"]
    return typeof revision === "number" ? { expectedRevision: revision } : {}
  }

  async function restore(target: string): Promise<void> {
    await handle.restoreById({ id: target }, { locale })
    toast({ text: words.restoredToast(titleOf(recordForm, words)) })
    read.rereadRights()
  }

  async function remove(target: string): Promise<void> {
    const title = titleOf(recordForm, words)
    const question = { title: words.deleteTitle(title), text: words.deleteText, action: words.delete, danger: true }
    if (!resource.options.softDelete && !(await confirm(question))) return
    await handle.deleteById({ id: target, ...expected() }, { locale })
    store.discard()
    navigate(listAddress(place.name))
    const mayUndo = resource.options.softDelete && resource.access.operations.restore !== false
    toast({
      text: words.deletedToast(title),
      ...(mayUndo && { action: { label: words.undo, run: () => void safely(() => restore(target)) } }),
    })
  }

  async function purge(target: string): Promise<void> {
    const title = words.purgeTitle(titleOf(recordForm, words))
    if (!(await confirm({ title, text: words.purgeText, action: words.purge, danger: true }))) return
    await handle.purgeById({ id: target })
    store.discard()
    navigate(listAddress(place.name))
  }

  async function discard(): Promise<void> {
    if (await confirm({ title: words.discardTitle, text: words.discardText, action: words.discard, danger: true })) {
      store.discard()
      form.problems.setAll([])
    }
  }

  const mayDuplicate = id !== null && resource.access.operations.create !== false
  return {
    duplicate: mayDuplicate ? () => duplicate(recordForm, navigate) : null,
    remove: id !== null && allowed.delete && !isDeleted ? () => safely(() => remove(id)) : null,
    restore: id !== null && allowed.restore && isDeleted ? () => safely(() => restore(id)) : null,
    purge: id !== null && allowed.purge && isDeleted ? () => safely(() => purge(id)) : null,
    discard,
    openOnSite:
      resource.preview && !isNew && !isDeleted ? () => safely(() => openOnSite(recordForm, { read, words })) : null,
  }
}

async function openOnSite(
  recordForm: RecordForm,
  { read, words }: { read: RecordRead; words: Words["record"] },
): Promise<void> {
  const { place, form } = recordForm
  // Opened before the address is known: later, the browser would take it for a window that nobody has asked for.
  const tab = window.open("", "_blank")
  const stage = previewStage(recordForm, read)
  try {
    const url = await findPreviewUrl(place, { locale: form.locale, ...(stage && { stage }) })
    if (url === null) throw new Error(words.noPage)
    if (tab === null) throw new Error(words.noTab)
    tab.opener = null
    tab.location.href = url.href
  } catch (error) {
    tab?.close()
    throw error
  }
}

/** Opens a form of a new record with the values of this one, without those that only one record can have. */
async function duplicate({ form, place }: RecordForm, navigate: (to: string) => void): Promise<void> {
  const { store, resource } = form
  const copy = copyOf(store, resource, ({ unique }) => !unique)
  if (!(await mayLeave())) return
  store.discard()
  carryForm(newRecordPath(place.name), copy)
  navigate(inAddressLocale(newRecordPath(place.name), store))
}

/** Returns the address of a record after it has been created. Its form goes along, with what was typed meanwhile. */
export function addressOfCreated(collection: string, id: string, store: FormStore): string {
  const address = recordPath(collection, id)
  carryForm(address, store)
  return inAddressLocale(address, store)
}

// Readers see the public copy, if there is one; otherwise it is the working copy that is shown.
function previewStage({ form }: RecordForm, { record }: RecordRead): string | null {
  const { workflow } = form.resource.options
  if (!workflow.enabled) return null
  return typeof record?.["changedSincePublished"] === "boolean" ? workflow.publicStage : workflow.initialStage
}

async function safely(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast({ text: error instanceof Error ? error.message : String(error) })
  }
}
