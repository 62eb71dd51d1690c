import { useEffect, useRef } from "react"
import type { Text as SharedString } from "yjs"
import { useForm } from "../../form/form-context.ts"
import { growTextarea } from "../../parts/inputs/growing-textarea.tsx"
import type { TextPart } from "../rich-text/text-part.ts"
import { DocumentState } from "./document-state.tsx"
import { changeBetween, positionAfter, type TextDelta } from "./text-delta.ts"
import { useDocument } from "./use-document.ts"

/** Edits a text in its document. What others type appears without moving the cursor. */
export function SharedTextarea({ part, path, attributes }: TextPart) {
  const [field] = path
  const { store, onLeave } = useForm()
  const open = useDocument(field)
  const document = open?.document
  const place = useRef<HTMLTextAreaElement>(null)
  const binding = useRef<TextBinding>(undefined)
  useEffect(() => {
    if (!document || !place.current) return undefined
    const bound = new TextBinding(place.current, document.doc.getText(field))
    binding.current = bound
    return () => bound.end()
  }, [document, field])
  const value = store.read(path)
  return (
    <>
      <textarea
        {...attributes}
        ref={place}
        className="input prose growing"
        rows={2}
        placeholder={part.placeholder ?? " "}
        defaultValue={typeof value === "string" ? value : ""}
        readOnly={!open?.view.canEdit}
        onInput={() => binding.current?.send()}
        onCompositionStart={() => binding.current?.pause()}
        onCompositionEnd={() => binding.current?.resume()}
        onBlur={() => onLeave(path)}
      />
      {open && <DocumentState view={open.view} />}
    </>
  )
}

/** Keeps a textarea and a shared text equal. */
class TextBinding {
  readonly #area: HTMLTextAreaElement
  readonly #text: SharedString
  #shown: string
  /** The changes of others while an input method composes a word, during which the textarea must not be changed. */
  #waiting: TextDelta[] = []
  #isPaused = false

  constructor(area: HTMLTextAreaElement, text: SharedString) {
    this.#area = area
    this.#text = text
    this.#shown = text.toString()
    // Until the document has arrived, the textarea shows the value of the record.
    if (this.#shown !== "") area.value = this.#shown
    text.observe(this.#receive)
  }

  end(): void {
    this.#text.unobserve(this.#receive)
  }

  /** Sends what was typed. */
  send(): void {
    const { value, selectionEnd } = this.#area
    const { index, deleted, inserted } = changeBetween(this.#shown, value, selectionEnd)
    this.#shown = value
    const at = this.#waiting.reduce((position, delta) => positionAfter(delta, position), index)
    growTextarea(this.#area)
    this.#text.doc?.transact(() => {
      if (deleted > 0) this.#text.delete(at, Math.min(deleted, this.#text.length - at))
      if (inserted !== "") this.#text.insert(at, inserted)
    }, this)
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    for (const delta of this.#waiting.splice(0)) this.#show(delta)
  }

  readonly #receive = (event: { readonly delta: TextDelta }, transaction: { readonly origin: unknown }) => {
    if (transaction.origin === this) return
    if (this.#isPaused) this.#waiting.push(event.delta)
    else this.#show(event.delta)
  }

  #show(delta: TextDelta): void {
    const { selectionStart, selectionEnd, scrollTop } = this.#area
    this.#shown = this.#text.toString()
    this.#area.value = this.#shown
    this.#area.setSelectionRange(positionAfter(delta, selectionStart), positionAfter(delta, selectionEnd))
    this.#area.scrollTop = scrollTop
    growTextarea(this.#area)
  }
}
