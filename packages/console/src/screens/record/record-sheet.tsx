import { type RefObject, Suspense, useMemo, useRef, useState } from "react"
import { I18nProvider } from "react-aria-components/I18nProvider"
import { useLocation } from "wouter"
import { OwnFile } from "../../fields/upload/own-file.tsx"
import { type Form, FormContext } from "../../form/form-context.ts"
import type { FormStore } from "../../form/form-store.ts"
import type { ResourceSchema } from "../../kit/descriptions.ts"
import { listAddress } from "../../kit/list-order.ts"
import type { RecordPlace } from "../../kit/record-operations.ts"
import { loadable } from "../../parts/loadable.tsx"
import { toast } from "../../parts/toast.tsx"
import { formatLocale } from "../../words/language.ts"
import { useWords } from "../../words/words.ts"
import { StageMenu } from "./actions/stage-menu.tsx"
import { addressOfCreated, useRecordActions } from "./actions/use-record-actions.ts"
import { useStageMoves } from "./actions/use-stage-moves.ts"
import { useAddressVersion } from "./address-state.ts"
import { FormBody } from "./layout/form-body.tsx"
import { layoutOf } from "./layout/form-layout.ts"
import { ReachBar, RecordHeader } from "./record-header.tsx"
import { RecordStrips } from "./record-strips.tsx"
import { ProblemList } from "./saving/problem-list.tsx"
import { useFollowedSnapshots } from "./saving/use-followed-snapshots.ts"
import { useFormKeys } from "./saving/use-form-keys.ts"
import { useHeldFields } from "./saving/use-held-fields.ts"
import { type RecordForm, useRecordForm } from "./saving/use-record-form.ts"
import { useJump } from "./use-jump.ts"
import { type RecordRead, useFallbacks, useTexts } from "./use-record.ts"
import { useRecordKeys } from "./use-record-keys.ts"

const VersionsDrawer = loadable(async () => (await import("./versions/versions-drawer.tsx")).VersionsDrawer)

interface RecordSheetProps {
  readonly place: RecordPlace
  readonly schema: ResourceSchema
  readonly store: FormStore
  readonly read: RecordRead
  /** Shows the texts in another locale. */
  readonly onTurn: (locale: string) => void
}

/** The form of a record on its sheet: header, what went wrong, the document and its properties. */
export function RecordSheet({ place, schema, store, read, onTurn }: RecordSheetProps) {
  const sheet = useRef<HTMLElement>(null)
  const isDeleted = Boolean(read.record?.["deletedAt"])
  const fallbacks = useFallbacks(place, read)
  const texts = useTexts(place, read)
  const isLocked = read.isPublicCopy || isDeleted
  const recordForm = useRecordForm({ place, schema, store, read, fallbacks, texts, isLocked, onTurn })
  const { form, saveState } = recordForm
  const moves = useStageMoves({ recordForm, read })
  const actions = useRecordActions({ recordForm, read })
  const layout = useLayout(form, recordForm.isNew ? null : read)
  const [tab, setTab] = useState(0)
  const jump = useJump({ sheet, layout, setTab })
  const { save, saveAndLeave } = useSavingKeys({ recordForm, sheet })
  useFollowedSnapshots(store, read)
  useHeldFields(store, sheet)
  useFormKeys({ sheet, save, saveAndLeave })
  useRecordKeys({ sheet, place, mayMove: moves.targets.length > 0 || moves.pending !== null })
  const [version, openVersion] = useAddressVersion()
  const hasVersions = maySeeVersions(recordForm, read)
  const header = {
    ...{ recordForm, moves, actions, onSave: save, languages: { texts, onTurn } },
    onVersions: hasVersions ? () => openVersion("all") : null,
  }
  return (
    <I18nProvider locale={formatLocale()}>
      <FormContext value={form}>
        <main className="sheet" ref={sheet}>
          <RecordHeader {...header} />
          <RecordStrips recordForm={recordForm} read={read} actions={actions} />
          <FormBody layout={layout} tab={tab} onTab={setTab}>
            <span className="on-phone">
              <StageMenu moves={moves} />
            </span>
            <ProblemList saveState={saveState} onJump={jump} />
            <OwnFile schema={schema} record={read.record} />
          </FormBody>
          <ReachBar {...header} />
          {hasVersions && version !== null && (
            <Suspense>
              <VersionsDrawer
                history={{ place, locale: store.locale, includeDeleted: isDeleted }}
                opened={version}
                onOpen={openVersion}
                mayRestore={read.rights?.operations.update === true && !isDeleted}
              />
            </Suspense>
          )}
        </main>
      </FormContext>
    </I18nProvider>
  )
}

// The right to read versions is known before they are asked for. A public copy is not what they lead to.
function maySeeVersions({ form, isNew }: RecordForm, { rights, isPublicCopy }: RecordRead): boolean {
  return form.resource.options.versioning && !isNew && !isPublicCopy && rights?.operations.versions === true
}

// A form shows what the person may read in this record, and what the person may write without reading it.
function useLayout({ resource, isReadOnly }: Form, read: RecordRead | null) {
  const isNew = read === null
  const fieldRights = read?.rights?.fields
  return useMemo(
    () =>
      layoutOf(resource, ({ name, access }) => {
        const mayRead = !isNew && access.read !== false && fieldRights?.[name]?.read !== false
        return mayRead || !isReadOnly(name)
      }),
    [resource, isReadOnly, isNew, fieldRights],
  )
}

/** Saves, and goes where a save leads: from a new record to its own address, or back to the list. */
function useSavingKeys({
  recordForm,
  sheet,
}: {
  recordForm: ReturnType<typeof useRecordForm>
  sheet: RefObject<HTMLElement | null>
}) {
  const [, navigate] = useLocation()
  const words = useWords("record")
  const { place, isNew, form } = recordForm
  const run = async (isLeaving: boolean) => {
    const record = form.store.editCount() > 0 || isNew ? await recordForm.save() : form.store.baseline
    if (record === null) {
      sheet.current?.querySelector(".problems")?.scrollIntoView({ block: "nearest" })
      return
    }
    if (place.kind === "global") return
    if (isNew) toast({ text: words.saved })
    if (isLeaving || typeof record["id"] !== "string") navigate(listAddress(place.name))
    else if (isNew) navigate(addressOfCreated(place.name, record["id"], form.store), { replace: true })
  }
  return { save: () => void run(false), saveAndLeave: () => void run(true) }
}
