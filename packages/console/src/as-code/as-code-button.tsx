import { CodeXml } from "lucide-react"
import { Suspense, useState } from "react"
import { Button } from "../parts/button.tsx"
import { Icon } from "../parts/icon.tsx"
import { loadable } from "../parts/loadable.tsx"
import { useWords } from "../words/words.ts"
import type { CodeExample } from "./code-call.ts"

const AsCodePanel = loadable(async () => (await import("./as-code-panel.tsx")).AsCodePanel)

interface AsCodeButtonProps {
  /** Returns the calls behind the screen as it is now. */
  readonly examples: () => readonly CodeExample[]
}

/** Opens the calls behind a screen, for those who write programs. */
export function AsCodeButton({ examples }: AsCodeButtonProps) {
  const words = useWords("code")
  const [shown, show] = useState<readonly CodeExample[] | null>(null)
  return (
    <>
      <Button look="icon" aria-label={words.title} onPress={() => show(examples())}>
        <Icon of={CodeXml} />
      </Button>
      {shown && (
        <Suspense>
          <AsCodePanel examples={shown} onClose={() => show(null)} />
        </Suspense>
      )}
    </>
  )
}
