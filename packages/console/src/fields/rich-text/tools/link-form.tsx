import { Unlink } from "lucide-react"
import { type FormEvent, useEffect, useId, useRef, useState } from "react"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"
import type { TextEditor } from "../editing/text-editor.ts"
import { completedAddress } from "../schema/safe-address.ts"
import { linkAt, setLink } from "./link-commands.ts"

interface LinkFormProps {
  readonly editor: TextEditor
  readonly onLeave: () => void
}

/** Asks for the address of a link. Pages of the web, mail addresses and telephone numbers are allowed. */
export function LinkForm({ editor, onLeave }: LinkFormProps) {
  const words = useWords("parts").richText
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [known] = useState(() => linkAt(editor.view.state))
  const [isRefused, setIsRefused] = useState(false)
  const type = editor.view.state.schema.marks["link"]
  useEffect(() => input.current?.select(), [])
  if (type === undefined) return null
  const set = (href: string | null) => {
    editor.run(setLink(type, href))
    onLeave()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    // The form of the record is another one, and does not hear of this.
    event.stopPropagation()
    const address = completedAddress(input.current?.value ?? "")
    if (address === undefined) setIsRefused(true)
    else set(address)
  }
  return (
    <form className="link-form" onSubmit={send} noValidate>
      <input
        ref={input}
        className="input"
        aria-label={words.linkAddress}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? id : undefined}
        placeholder="https://"
        defaultValue={known ?? ""}
        onChange={() => setIsRefused(false)}
      />
      <Button look="plain" type="submit">
        {words.setLink}
      </Button>
      {known !== null && (
        <Button look="icon" aria-label={words.removeLink} onPress={() => set(null)}>
          <Icon of={Unlink} />
        </Button>
      )}
      {isRefused && (
        <span className="problem" id={id} role="alert">
          {words.linkRefused}
        </span>
      )}
    </form>
  )
}
