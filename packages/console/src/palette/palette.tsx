import { Search, X } from "lucide-react"
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react"
import { Dialog as AriaDialog } from "react-aria-components/Dialog"
import { Modal, ModalOverlay } from "react-aria-components/Modal"
import { useLocation, useRouter } from "wouter"
import { useAppIndex } from "../kit/descriptions.ts"
import { Button } from "../parts/button.tsx"
import { Icon } from "../parts/icon.tsx"
import { keyText } from "../parts/key-text.ts"
import { recordPath } from "../routes.ts"
import { IconOf } from "../shell/sidebar.tsx"
import { useWords } from "../words/words.ts"
import "../styles/palette.css"
import type { Command, Section } from "./command.ts"
import { matchesWords, wordsOf } from "./matching.ts"
import { optionId, PaletteList } from "./palette-list.tsx"
import { PaletteState } from "./palette-state.tsx"
import { activeCommand, arrangeSections, hasMatches, stepFrom } from "./sections.ts"
import { useActionCommands, usePlaceCommands, useTextCommands, useViewCommands } from "./use-commands.tsx"
import { type TitleSearch, useFoundTitles } from "./use-found-titles.ts"
import { useRecentTitles } from "./use-recent-titles.ts"

const PAGE = 8

/** Finds records, places and actions by what a person types. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = useWords("palette")
  const { close } = useWords("shell")
  const [text, setText] = useState("")
  const [chosen, setChosen] = useState<string | null>(null)
  const listId = useId()
  const typed = useMemo(() => wordsOf(text), [text])
  const search = useFoundTitles(text)
  const sections = useSections(text, typed, search)
  const active = activeCommand(sections, chosen)
  const run = useRun(onClose)
  const change = (next: string) => {
    setText(next)
    setChosen(null)
  }
  const activeId = active && optionId(listId, active.id)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" })
  }, [activeId])
  return (
    <ModalOverlay className="shade palette-shade" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="palette floating">
        <AriaDialog className="palette-dialog" aria-label={words.label}>
          <div className="palette-input">
            <Icon of={Search} />
            <input
              ref={input}
              type="text"
              role="combobox"
              aria-expanded={sections.length > 0}
              aria-controls={listId}
              aria-activedescendant={activeId}
              aria-autocomplete="list"
              aria-label={words.label}
              placeholder={words.label}
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={text}
              onChange={(event) => change(event.currentTarget.value)}
              onKeyDown={(event) => pressKey(event, { sections, active, setChosen, run })}
            />
            <kbd className="on-desk" aria-hidden>
              Esc
            </kbd>
            <span className="on-phone">
              <Button look="icon" aria-label={close} onPress={onClose}>
                <Icon of={X} />
              </Button>
            </span>
          </div>
          <PaletteList {...{ sections, active, listId, words: typed }} onHover={setChosen} onRun={run} />
          <PaletteState text={text} search={search} isEmpty={!hasMatches(sections)} />
          <footer className="palette-keys on-desk" aria-hidden>
            <span>↑↓ {words.keyChoose}</span>
            <span>Enter {words.keyOpen}</span>
            <span>
              {keyText("⌘")}Enter {words.keyNewTab}
            </span>
          </footer>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function useSections(text: string, typed: readonly string[], search: TitleSearch): readonly Section[] {
  const words = useWords("palette")
  const places = usePlaceCommands()
  const views = useViewCommands(typed)
  const actions = useActionCommands()
  const textActions = useTextCommands(text)
  const recent = useRecentCommands()
  const records = useRecordSections(search, typed)
  const { recent: recentTitle, goTo, actions: actionsTitle } = words
  const titles = { recent: recentTitle, goTo, actions: actionsTitle }
  return arrangeSections({ words: typed, places, views, actions, textActions, recent, records, titles })
}

function useRecentCommands(): readonly Command[] {
  const [location] = useLocation()
  const { resources } = useAppIndex()
  return useRecentTitles().flatMap(({ collection, id, title }) => {
    const place = resources.find(({ kind, name }) => kind === "collection" && name === collection)
    if (place === undefined) return []
    const path = recordPath(collection, id)
    if (path === location) return []
    return [{ id: `recent ${path}`, label: title, hint: place.singularLabel, path, icon: <IconOf place={place} /> }]
  })
}

/** The found records below the labels of their collections, in the order of the best ones. */
function useRecordSections({ found }: TitleSearch, typed: readonly string[]): readonly Section[] {
  const { resources } = useAppIndex()
  // While the next answer is awaited, only the former records that match now, too, can be chosen.
  const docs = found.docs.filter(({ title }) => matchesWords(title, typed))
  return [...new Set(docs.map(({ collection }) => collection))].flatMap((collection) => {
    const place = resources.find(({ kind, name }) => kind === "collection" && name === collection)
    if (place === undefined) return []
    const own = docs.filter((doc) => doc.collection === collection)
    const commands = own.map(({ id, title }) => {
      const path = recordPath(collection, id)
      return { id: `record ${path}`, label: title, path, icon: <IconOf place={place} /> }
    })
    return [{ title: place.label, commands }]
  })
}

type Run = (command: Command, isInNewTab: boolean) => void

function useRun(onClose: () => void): Run {
  const [, navigate] = useLocation()
  const { base } = useRouter()
  return ({ path, run }, isInNewTab) => {
    if (path !== undefined && isInNewTab) {
      window.open(`${base}${path}`, "_blank", "noopener")
      return
    }
    onClose()
    if (path === undefined) run?.()
    else navigate(path)
  }
}

interface PressedKey {
  readonly sections: readonly Section[]
  readonly active: Command | undefined
  readonly setChosen: (id: string | null) => void
  readonly run: Run
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }

function pressKey(event: KeyboardEvent, { sections, active, setChosen, run }: PressedKey): void {
  if (event.nativeEvent.isComposing || active === undefined) return
  const step = STEPS[event.key]
  if (step !== undefined) setChosen(stepFrom(sections, active.id, step))
  else if (event.key === "Enter") run(active, event.metaKey || event.ctrlKey)
  else return
  event.preventDefault()
}
