import { LogOut } from "lucide-react"
import type { ReactNode } from "react"
import { AsCodeButton } from "../../as-code/as-code-button.tsx"
import type { CodeExample } from "../../as-code/code-call.ts"
import { useAppIndex } from "../../kit/descriptions.ts"
import { useFirstScreenShown } from "../../kit/first-screen.ts"
import { Icon } from "../../parts/icon.tsx"
import { useTitle } from "../../shell/title.ts"
import { useSignOutHere } from "../../shell/use-sign-out-here.ts"
import { useWords } from "../../words/words.ts"
import { AppearanceForm } from "./appearance-form.tsx"
import { NameForm } from "./name-form.tsx"
import { PasswordForm } from "./password-form.tsx"
import { SignOutElsewhere } from "./sign-out-elsewhere.tsx"

const SESSION: readonly CodeExample[] = [{ purpose: "session", call: { path: ["auth", "session"], args: [] } }]

/** The account of the person: name, password, sessions, and how the console looks. */
export function AccountScreen() {
  const words = useWords("account")
  const shell = useWords("shell")
  const { user } = useAppIndex()
  const signOut = useSignOutHere()
  useTitle(words.title)
  useFirstScreenShown(true)
  return (
    <main className="sheet">
      <header className="bar">
        <h1>{words.title}</h1>
        <span className="rest" />
        <AsCodeButton examples={() => SESSION} />
        <button type="button" className="button quiet" onClick={() => void signOut()}>
          <Icon of={LogOut} />
          {shell.signOut}
        </button>
      </header>
      <div className="settings">
        <Settings title={words.profile} hint={user?.role ? `${words.role}: ${user.role}` : undefined}>
          <NameForm />
        </Settings>
        <Settings title={words.password}>
          <PasswordForm />
        </Settings>
        <Settings title={words.sessions} hint={words.sessionsHint}>
          <SignOutElsewhere />
        </Settings>
        <Settings title={words.console} hint={words.consoleHint}>
          <AppearanceForm />
        </Settings>
      </div>
    </main>
  )
}

interface SettingsProps {
  readonly title: string
  readonly hint?: string | undefined
  readonly children: ReactNode
}

function Settings({ title, hint, children }: SettingsProps) {
  return (
    <section className="settings-part">
      <div>
        <h2>{title}</h2>
        {hint && <p>{hint}</p>}
      </div>
      {children}
    </section>
  )
}
