import { useEffect, useId, useRef, useState } from "react"
import { useForm } from "../../form/form-context.ts"
import { useWords } from "../../words/words.ts"
import type { TextPart } from "../rich-text/text-part.ts"
import { DocumentState } from "./document-state.tsx"
import { useDocument } from "./use-document.ts"
import { isObject, writeMembers } from "./write-members.ts"

const INDENT = 2

type Members = Readonly<Record<string, unknown>>

/**
 * Edits an object in its document, as JSON. It is written while it is valid, and only the members that the person has
 * changed: those that others change meanwhile stay. While the person is in the text, it is not laid out again.
 */
export function SharedJson({ part, path, attributes }: TextPart) {
  const [field] = path
  const id = useId()
  const words = useWords("parts").shared
  const { store, onLeave } = useForm()
  const open = useDocument(field)
  const document = open?.document
  const [value, setValue] = useState<Members>(() => Object(store.read(path)))
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState("")
  // The value from which the text that is typed was made.
  const base = useRef(value)
  useEffect(() => {
    if (!document) return undefined
    const members = document.doc.getMap(field)
    const show = () => setValue(members.toJSON())
    members.observeDeep(show)
    if (members.size > 0) show()
    return () => members.unobserveDeep(show)
  }, [document, field])

  function change(text: string): void {
    setTyped(text)
    const found = parsed(text)
    if (found.kind === "members" && document) {
      const { members } = found
      document.doc.transact(() => writeMembers(document.doc.getMap(field), base.current, members))
      base.current = members
      setProblem("")
      store.discard(field)
      return
    }
    const message = found.kind === "invalid" ? words.invalidJson(found.message) : words.notAnObject
    setProblem(message)
    // The form says that something is not saved, and asks before it is left.
    store.writeUnparsed(path, { text, problem: message })
  }
  const text = typed ?? JSON.stringify(value, null, INDENT)
  return (
    <>
      <textarea
        {...attributes}
        className="input mono growing"
        rows={3}
        spellCheck={false}
        wrap="off"
        value={text}
        placeholder={part.placeholder ?? "{}"}
        readOnly={!open?.view.canEdit}
        aria-invalid={problem !== "" || undefined}
        aria-describedby={problem === "" ? undefined : id}
        onFocus={() => {
          if (typed === undefined) base.current = value
        }}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => {
          if (problem === "") setTyped(undefined)
          onLeave(path)
        }}
      />
      {problem !== "" && (
        <span className="problem" id={id}>
          {problem}
        </span>
      )}
      {open && <DocumentState view={open.view} />}
    </>
  )
}

type Parsed =
  | { readonly kind: "members"; readonly members: Members }
  | { readonly kind: "invalid"; readonly message: string }
  | { readonly kind: "other" }

function parsed(text: string): Parsed {
  if (text.trim() === "") return { kind: "members", members: {} }
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { kind: "members", members: value } : { kind: "other" }
  } catch (error) {
    return { kind: "invalid", message: error instanceof Error ? error.message : String(error) }
  }
}
