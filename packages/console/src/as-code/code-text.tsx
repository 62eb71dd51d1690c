import { Check, Copy } from "lucide-react"
import { useRef, useState } from "react"
import { Button } from "../parts/button.tsx"
import { Icon } from "../parts/icon.tsx"
import { useWords } from "../words/words.ts"

interface CodeTextProps {
  readonly language: "TypeScript" | "curl"
  readonly text: string
}

type CopyState = "idle" | "copied" | "selected"

/** A piece of code, and the button that copies it. */
export function CodeText({ language, text }: CodeTextProps) {
  const words = useWords("code")
  const code = useRef<HTMLPreElement>(null)
  const [state, setState] = useState<CopyState>("idle")
  const copy = async () => setState(await copied(text, code.current))
  return (
    <figure>
      <figcaption>
        {language}
        <span role="status">
          {state === "copied" && (
            <>
              <Icon of={Check} />
              {words.copied}
            </>
          )}
          {state === "selected" && words.selected}
        </span>
        <Button look="quiet" aria-label={words.copy(language)} onPress={() => void copy()}>
          <Icon of={Copy} />
          {words.copyShort}
        </Button>
      </figcaption>
      <pre ref={code} translate="no">
        {text}
      </pre>
    </figure>
  )
}

/** Copies a text. Pages that are not served securely have no clipboard: there the text is selected. */
async function copied(text: string, shown: HTMLElement | null): Promise<CopyState> {
  try {
    await navigator.clipboard.writeText(text)
    return "copied"
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown)
    return "selected"
  }
}
