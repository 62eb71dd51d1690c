import type { CollaborativeDocument } from "kit/crdt"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { Icon } from "../../components/icon.tsx"
import type { SignedInUser } from "../../shell/session.ts"
import { crdt } from "../crdt.ts"
import { colorOf, People } from "../people.tsx"
import { type DeskWords, useDeskWords } from "../words.ts"
import { schema } from "./editor-schema.ts"
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
  const [shown, setShown] = useState<Shown>()
  useEffect(() => {
    if (!place.current) return undefined
    const document = crdt.collections.articles.document({ id, locale, schema })
    document.awareness.setLocalStateField("user", { id: user.id, name: user.name, color: colorOf(user.id) })
    const mounted = mountEditor(place.current, { document, field: "body", labelledBy: "body-title" })
    editor.current = mounted
    const show = () => setShown(shownOf(document))
    const unsubscribe = document.subscribe(show)
    document.awareness.on("change", show)
    show()
    return () => {
      unsubscribe()
      document.awareness.off("change", show)
      mounted.unmount()
      document.destroy()
    }
  }, [id, locale, user.id, user.name])
  return (
    <section className="text" aria-labelledby="body-title">
      <div className="text-head">
        <h2 id="body-title" className="panel-title">
          {words.text}
        </h2>
        <People label={words.inText} people={shown?.people ?? []} />
      </div>
      {shown?.canEdit && <Toolbar words={words.format} onRun={(name) => editor.current?.run(name)} />}
      <div ref={place} className="text-place" lang={locale} />
      <p className="desk-note" role="status">
        {shown && stateText(words, shown)}
      </p>
    </section>
  )
}

/** The state of a document as it was when it last changed. */
interface Shown extends Pick<CollaborativeDocument, "status" | "pending" | "canEdit" | "problem" | "error"> {
  readonly people: readonly { readonly id: string; readonly name: string }[]
}

function shownOf({ status, pending, canEdit, problem, error, awareness }: CollaborativeDocument): Shown {
  const present = [...awareness.getStates().values()].flatMap(({ user }) => (user ? [user] : []))
  // A user who has the text open in two windows is shown once.
  const people = [...new Map(present.map(({ id, name }) => [id, { id, name }])).values()]
  return { status, pending, canEdit, problem, error, people }
}

function stateText({ document }: DeskWords, { status, pending, canEdit, problem, error }: Shown): string {
  if (status === "connecting") return document.connecting
  if (status === "denied") return error?.message ?? document.denied
  if (status === "offline") return pending > 0 ? document.kept(pending) : document.offline
  // A text with something that the editor does not know is read-only, and the problem says so.
  if (problem !== null) return canEdit ? document.notYet(problem) : problem
  if (!canEdit) return document.readOnly
  return pending > 0 ? document.saving : document.saved
}

const SIGNS: Readonly<Record<CommandName, ReactNode>> = {
  bold: "B",
  italic: "I",
  heading: "H",
  quote: "”",
  undo: <Icon name="undo" />,
  redo: <Icon name="redo" />,
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
