import { X } from "lucide-react"
import { useEffect, useState } from "react"
import { boot } from "../kit/boot.ts"
import { useContentLocales } from "../kit/locales/use-content-locales.ts"
import { usePerson } from "../kit/person.ts"
import { Button } from "../parts/button.tsx"
import { Icon } from "../parts/icon.tsx"
import { ModalDialog } from "../parts/modal-dialog.tsx"
import { useWords } from "../words/words.ts"
import { clientCode, clientSetUp } from "./client-code.ts"
import type { CodeExample } from "./code-call.ts"
import { requestOf } from "./code-request.ts"
import { CodeText } from "./code-text.tsx"
import { curlCommand, signInCommand } from "./curl.ts"

const API = { baseURL: location.origin, basePath: boot.apiBase }

interface AsCodePanelProps {
  readonly examples: readonly CodeExample[]
  readonly onClose: () => void
}

/** The calls behind a screen, each for the client and for a shell. */
export function AsCodePanel({ examples, onClose }: AsCodePanelProps) {
  const words = useWords("code")
  const shell = useWords("shell")
  return (
    <ModalDialog label={words.title} onClose={onClose} look="wide">
      <header className="dialog-head">
        <h2>{words.title}</h2>
        <Button look="icon" aria-label={shell.close} onPress={onClose}>
          <Icon of={X} />
        </Button>
      </header>
      <div className="as-code">
        {examples.map((example) => (
          <Example key={`${example.purpose} ${example.locale}`} example={example} />
        ))}
        <BeforeTheFirstCall />
      </div>
    </ModalDialog>
  )
}

function Example({ example: { purpose, call, locale } }: { readonly example: CodeExample }) {
  const words = useWords("code")
  const language = useContentLocales().find((each) => each.locale === locale)
  const title = language ? `${words.purposes[purpose]}: ${language.name}` : words.purposes[purpose]
  const [command, setCommand] = useState("")
  useEffect(() => {
    let isCurrent = true
    const show = (text: string) => isCurrent && setCommand(text)
    requestOf(call, API).then(
      (request) => show(curlCommand(request)),
      (error: unknown) => show(`# ${error instanceof Error ? error.message : String(error)}`),
    )
    return () => {
      isCurrent = false
    }
  }, [call])
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <CodeText language="TypeScript" text={clientCode(call)} />
      <CodeText language="curl" text={command} />
    </section>
  )
}

/** How a program makes the client and signs in. Nobody's password or token is shown. */
function BeforeTheFirstCall() {
  const words = useWords("code")
  const { email } = usePerson()
  const account = boot.passwordSignIn ? email : undefined
  return (
    <details>
      <summary>{words.before}</summary>
      <p>{account === undefined ? words.beforeElsewhere : words.beforeHint}</p>
      <CodeText language="TypeScript" text={clientSetUp(API, account)} />
      {account !== undefined && <CodeText language="curl" text={signInCommand(API, account)} />}
    </details>
  )
}
