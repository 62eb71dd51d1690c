import type { CollaborativeDocument } from "kit/crdt"
import { useEffect, useRef, useState } from "react"
import type { SignedInUser } from "../../shell/session.ts"
import { crdt } from "../crdt.ts"
import { colorOf, People } from "../people.tsx"
import { type DeskWords, useDeskWords } from "../words.ts"
import { type CommandName, type MountedEditor, mountEditor } from "./mount-editor.ts"
import type { Locale } from "./use-article.ts"

interface BodyEditorProps {
  readonly id: string
  readonly locale: Locale
  readonly user: SignedInUser
}

/** The text of the article in one language. Everybody who has it open sees each keystroke and each cursor. */
export function BodyEditor({ id, locale, user }: BodyEditorProps) {
  const words = useDeskWords()
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<MountedEditor>(undefined)
  const [{ text, people, canEdit }, setShown] = useState<Shown>({ text: "", people: [], canEdit: false })
  const label = words.text
  useEffect(() => {
    if (!place.current) return undefined
    const document = crdt.collections.articles.document({ id, locale })
    document.awareness.setLocalStateField("user", { id: user.id, name: user.name, color: colorOf(user.id) })
    const mounted = mountEditor(place.current, { document, field: "body", label })
    editor.current = mounted
    const show = () =>
      setShown({ text: stateText(words, document), people: peopleIn(document), canEdit: document.canEdit })
    const unsubscribe = document.subscribe(show)
    document.awareness.on("change", show)
    show()
    return () => {
      unsubscribe()
      document.awareness.off("change", show)
      mounted.unmount()
      document.destroy()
    }
  }, [id, locale, user.id, user.name, label, words])
  return (
    <section className="text" aria-labelledby="body-title">
      <div className="text-head">
        <h2 id="body-title" className="panel-title">
          {words.text}
        </h2>
        <People label={words.inText} people={people} />
      </div>
      {canEdit && <Toolbar words={words.format} onRun={(name) => editor.current?.run(name)} />}
      <div ref={place} className="text-place" lang={locale} />
      <p className="desk-note" role="status">
        {text}
      </p>
    </section>
  )
}

interface Shown {
  readonly text: string
  readonly people: readonly { readonly id: string; readonly name: string }[]
  readonly canEdit: boolean
}

function peopleIn({ awareness }: CollaborativeDocument): Shown["people"] {
  const present = [...awareness.getStates().values()].flatMap(({ user }) => (user ? [user] : []))
  return [...new Map(present.map(({ id, name }) => [id ?? name, { id: id ?? name, name }])).values()]
}

function stateText(words: DeskWords, { status, pending, canEdit, problem, error }: CollaborativeDocument): string {
  const { document } = words
  if (status === "connecting") return document.connecting
  if (status === "denied") return error?.message ?? document.denied
  if (status === "offline") return pending > 0 ? document.kept(pending) : document.offline
  if (problem !== null) return document.notYet(problem)
  if (!canEdit) return document.readOnly
  return pending > 0 ? document.saving : document.saved
}

const SIGNS: Readonly<Record<CommandName, string>> = {
  bold: "B",
  italic: "I",
  heading: "H",
  quote: "”",
  undo: "↶",
  redo: "↷",
}
const COMMAND_NAMES = ["bold", "italic", "heading", "quote", "undo", "redo"] as const

interface ToolbarProps {
  readonly words: DeskWords["format"]
  onRun(name: CommandName): void
}

function Toolbar({ words, onRun }: ToolbarProps) {
  return (
    <fieldset className="toolbar">
      <legend className="unseen">{words.label}</legend>
      {COMMAND_NAMES.map((name) => (
        <button
          key={name}
          type="button"
          className={`tool-${name}`}
          title={words[name]}
          aria-label={words[name]}
          // The text keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onRun(name)}
        >
          <span aria-hidden="true">{SIGNS[name]}</span>
        </button>
      ))}
    </fieldset>
  )
}
