import { useEffect, useState } from "react"
import { Link } from "wouter"
import { boot } from "../../kit/boot.ts"
import { ROUTES } from "../../routes.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { EntranceSheet } from "./entrance-sheet.tsx"
import { FormProblem } from "./form-problem.tsx"
import { providerProblemText } from "./problem-text.ts"
import { ProviderButtons } from "./provider-buttons.tsx"
import { SignInForm } from "./sign-in-form.tsx"

// Another service sends the browser back with this parameter if the sign-in there has failed.
const PARAMETER = "error"

/** The sign-in. The address that was asked for stays, so that it opens afterwards. */
export function SignIn({ note }: { readonly note?: string | undefined }) {
  const words = useEntranceWords()
  return (
    <EntranceSheet title={words.signIn}>
      {note && <p>{note}</p>}
      {boot.passwordSignIn ? <WaysIn /> : <SignInElsewhere />}
    </EntranceSheet>
  )
}

function WaysIn() {
  const words = useEntranceWords()
  const [failed] = useState(providerError)
  useEffect(forgetProviderError, [])
  return (
    <>
      <FormProblem text={failed === null ? undefined : providerProblemText(failed, words.problems)} />
      <SignInForm />
      {boot.passwordReset && (
        <div className="aside">
          <Link className="link" href={ROUTES.reset}>
            {words.forgot}
          </Link>
        </div>
      )}
      <ProviderButtons />
    </>
  )
}

/** The app has sessions of its own, so that its own pages sign people in. */
function SignInElsewhere() {
  const words = useEntranceWords()
  return (
    <>
      <p>{words.signInElsewhere(boot.brand.name)}</p>
      <button className="button primary" type="button" onClick={() => location.reload()}>
        {words.loadAgain}
      </button>
    </>
  )
}

/** Returns the error with which another service has sent the browser back, if there is one. */
function providerError(): string | null {
  return new URLSearchParams(location.search).get(PARAMETER)
}

/** Takes the error out of the address, so that it is not shown again after the page is loaded again. */
function forgetProviderError(): void {
  const { pathname, search, hash } = location
  const parameters = new URLSearchParams(search)
  if (!parameters.has(PARAMETER)) return
  for (const name of [PARAMETER, "error_description"]) parameters.delete(name)
  const rest = parameters.size > 0 ? `?${parameters}` : ""
  history.replaceState(history.state, "", `${pathname}${rest}${hash}`)
}
