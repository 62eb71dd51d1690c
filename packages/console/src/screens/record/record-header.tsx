import { ChevronDown, ChevronLeft, ChevronUp, History } from "lucide-react"
import { useEffect, useState } from "react"
import { Link, useLocation } from "wouter"
import { AsCodeButton } from "../../as-code/as-code-button.tsx"
import { useFieldState } from "../../form/form-context.ts"
import { listAddress, placeInList } from "../../kit/list-order.ts"
import { useContentLocales } from "../../kit/locales/use-content-locales.ts"
import { Button } from "../../parts/button.tsx"
import { Icon } from "../../parts/icon.tsx"
import { keyText } from "../../parts/key-text.ts"
import { LocaleMarks, LocaleSwitch } from "../../parts/locale-marks.tsx"
import { Menu, type MenuItem } from "../../parts/menu.tsx"
import { recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import { StageMenu } from "./actions/stage-menu.tsx"
import type { RecordActions } from "./actions/use-record-actions.ts"
import type { StageMoves } from "./actions/use-stage-moves.ts"
import { inAddressLocale } from "./address-state.ts"
import { filledLocales } from "./languages/filled-locales.ts"
import { recordExamples } from "./record-code.ts"
import type { RecordForm } from "./saving/use-record-form.ts"
import type { TextsByLocale } from "./use-record.ts"
import { useTitle } from "./use-title.ts"

interface RecordHeaderProps {
  readonly recordForm: RecordForm
  readonly moves: StageMoves
  readonly actions: RecordActions
  readonly onSave: () => void
  /** Opens the history of the record; null without one. */
  readonly onVersions: (() => void) | null
  readonly languages: {
    readonly texts: TextsByLocale | undefined
    readonly onTurn: (locale: string) => void
  }
}

/** Where the record is, what is unsaved, where it stands on its way, and what else can be done with it. */
export function RecordHeader(props: RecordHeaderProps) {
  const { recordForm, moves } = props
  const { place, form } = recordForm
  return (
    <header className="bar record-bar">
      <nav className="trail" aria-label={form.resource.label}>
        {place.kind === "collection" && (
          <>
            <Link href={listAddress(place.name)} className="on-desk">
              {form.resource.label}
            </Link>
            <span aria-hidden className="on-desk">
              /
            </span>
          </>
        )}
        <Title recordForm={recordForm} />
      </nav>
      <Neighbours recordForm={recordForm} />
      <span className="rest" />
      <Languages {...props} />
      <span className="on-desk header-actions">
        <SaveMark recordForm={recordForm} />
        <StageMenu moves={moves} />
        <Primary {...props} />
      </span>
      <VersionsButton {...props} />
      <AsCodeButton examples={() => recordExamples(recordForm)} />
      <MoreMenu {...props} />
    </header>
  )
}

function VersionsButton({ onVersions }: RecordHeaderProps) {
  const words = useWords("versions")
  if (onVersions === null) return null
  return (
    <Button look="icon" aria-label={words.versions} onPress={onVersions}>
      <Icon of={History} />
    </Button>
  )
}

function Title({ recordForm }: { readonly recordForm: RecordForm }) {
  return <b>{useTitle(recordForm)}</b>
}

/** The language of the texts, in apps of several languages. Those in which a text is missing have hollow marks. */
function Languages({ recordForm: { form }, languages: { texts, onTurn } }: RecordHeaderProps) {
  const content = useContentLocales()
  const { localizedFields } = form.resource.options
  const locales = content.map(({ locale }) => locale)
  const filled = useFieldState(null, () => texts && filledLocales({ texts, store: form.store, locales }).join(" "))
  if (content.length < 2 || localizedFields.length === 0) return null
  const filledSet = filled === undefined ? undefined : new Set(filled.split(" "))
  return (
    <span className="languages">
      {filledSet && content.length <= MARKS_MAX && (
        <LocaleMarks locales={content} filled={filledSet} without={form.locale} />
      )}
      <LocaleSwitch locales={content} chosen={form.locale} onChoose={onTurn} filled={filledSet} />
    </span>
  )
}

// More languages than these are in the list of the switch only.
const MARKS_MAX = 5

/** On a phone: Back, the mark of what is unsaved, and Save stay within reach of the thumb. */
export function ReachBar(props: RecordHeaderProps) {
  const words = useWords("record")
  const [, navigate] = useLocation()
  const { place, form } = props.recordForm
  const { label } = form.resource
  return (
    <div className="reach">
      {place.kind === "collection" && (
        <Button aria-label={words.back(label)} onPress={() => navigate(listAddress(place.name))}>
          <Icon of={ChevronLeft} />
          {label}
        </Button>
      )}
      <span className="rest" />
      <SaveMark recordForm={props.recordForm} />
      <Primary {...props} />
    </div>
  )
}

/** The one button in ink: Save while something is unsaved, and otherwise the next move of the record. */
function Primary({ recordForm, moves, onSave }: RecordHeaderProps) {
  const words = useWords("record")
  const { form, isNew } = recordForm
  const isUnsaved = useFieldState(null, () => form.store.editCount() > 0)
  const { next } = moves
  if (isUnsaved || isNew) {
    return (
      <Button look="primary" onPress={onSave}>
        {words.save}
        <kbd className="on-desk">{keyText("⌘S")}</kbd>
      </Button>
    )
  }
  if (next === null) return null
  return <NextMove key={next} moves={moves} next={next} />
}

// Longer than a double click takes.
const RESTS_MS = 700

/**
 * The next move of the record. It appears in the place of Save, so it rests at first: a second click that is meant for Save
 * must not publish anything.
 */
function NextMove({ moves, next }: { readonly moves: StageMoves; readonly next: string }) {
  const [rests, setRests] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setRests(false), RESTS_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Button look="primary" isDisabled={rests} onPress={() => void moves.move(next)}>
      {moves.actionOf(next)}
    </Button>
  )
}

function SaveMark({ recordForm: { form, saveState } }: { readonly recordForm: RecordForm }) {
  const words = useWords("record")
  const content = useContentLocales()
  const { store } = form
  const count = useFieldState(null, () => store.editCount())
  const edited = useFieldState(null, () =>
    store
      .editedLocales()
      .map(({ locale }) => locale)
      .join(" "),
  )
  const others = content.filter(({ locale }) => locale !== store.locale && edited.split(" ").includes(locale))
  return (
    <span role="status" className="save-mark">
      {count > 0 ? (
        <span className="unsaved">
          {words.unsaved(count)}
          {others.length > 0 && ` · ${words.unsavedIn(others.map(({ name }) => name))}`}
        </span>
      ) : (
        saveState.kind === "saved" && <span className="saved">{words.saved}</span>
      )}
    </span>
  )
}

function Neighbours({ recordForm: { place, form } }: { readonly recordForm: RecordForm }) {
  const words = useWords("record")
  const [, navigate] = useLocation()
  if (place.kind === "global" || place.id === null) return null
  const found = placeInList(place.name, place.id)
  if (found === null) return null
  const { previous, next, number, total } = found
  const go = (id: string | null) => id !== null && navigate(inAddressLocale(recordPath(place.name, id), form.store))
  return (
    <span className="neighbours on-desk">
      <Button look="icon" aria-label={words.previous} isDisabled={previous === null} onPress={() => go(previous)}>
        <Icon of={ChevronUp} />
      </Button>
      <Button look="icon" aria-label={words.next} isDisabled={next === null} onPress={() => go(next)}>
        <Icon of={ChevronDown} />
      </Button>
      {total !== null && <span className="number">{words.placeInList(number, total)}</span>}
    </span>
  )
}

type ActionName = "discard" | "openOnSite" | "duplicate" | "restore" | "remove" | "purge"

function MoreMenu({ recordForm: { form }, actions }: RecordHeaderProps) {
  const words = useWords("record")
  const isUnsaved = useFieldState(null, () => form.store.editCount() > 0)
  const items: (MenuItem<ActionName> | null)[] = [
    isUnsaved ? { id: "discard", label: words.discard } : null,
    actions.openOnSite && { id: "openOnSite", label: words.openOnSite },
    actions.duplicate && { id: "duplicate", label: words.duplicate },
    actions.restore && { id: "restore", label: words.restore },
    actions.remove && { id: "remove", label: words.delete, isDanger: true },
    actions.purge && { id: "purge", label: words.purge, isDanger: true },
  ]
  const offered = items.filter((item) => item !== null)
  if (offered.length === 0) return null
  return <Menu label={words.more} items={offered} onAction={(id) => void actions[id]?.()} />
}
