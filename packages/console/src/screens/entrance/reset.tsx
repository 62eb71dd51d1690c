import { KitClientError } from "kit/client"
import { useState } from "react"
import { Link, useLocation, useSearchParams } from "wouter"
import { boot } from "../../kit/boot.ts"
import { client } from "../../kit/client.ts"
import { ROUTES } from "../../routes.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { EntranceSheet } from "./entrance-sheet.tsx"
import { FormProblem } from "./form-problem.tsx"
import { TextField } from "./text-field.tsx"
import { useSubmit } from "./use-submit.ts"

/** A new password by mail: asks for the address, and with the token of the mail's link for the password. */
export function Reset() {
  const [parameters] = useSearchParams()
  const token = parameters.get("token")
  if (parameters.has("error")) return <EndedLink />
  return token === null ? <RequestLink /> : <NewPassword token={token} />
}

function RequestLink() {
  const words = useEntranceWords()
  const [sentTo, setSentTo] = useState<string>()
  const submit = useSubmit(async ({ email = "" }) => {
    await client.auth.requestReset({ email, redirectTo: new URL(resetAddress(), location.origin).href })
    setSentTo(email)
  })
  if (sentTo !== undefined) {
    return (
      <EntranceSheet title={words.linkSent}>
        <p role="status">{words.linkSentHint(sentTo)}</p>
        <BackToSignIn />
      </EntranceSheet>
    )
  }
  return (
    <EntranceSheet title={words.reset}>
      <p>{words.resetHint}</p>
      <form className="stack" onSubmit={submit.onSubmit}>
        <TextField
          label={words.email}
          name="email"
          type="email"
          autoComplete="username"
          problem={submit.problem ?? submit.problemOf("email")}
          autoFocus
        />
        <button className="button primary" type="submit" aria-disabled={submit.isSending}>
          {words.sendLink}
        </button>
      </form>
      <BackToSignIn />
    </EntranceSheet>
  )
}

function NewPassword({ token }: { readonly token: string }) {
  const words = useEntranceWords()
  const [isDone, setIsDone] = useState(false)
  const submit = useSubmit(async ({ password = "" }) => {
    await client.auth.reset({ token, password })
    setIsDone(true)
  })
  if (isDone) return <PasswordSet />
  if (isEndedToken(submit.error)) return <EndedLink />
  return (
    <EntranceSheet title={words.reset}>
      <form className="stack" onSubmit={submit.onSubmit}>
        <TextField
          label={words.newPassword}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={words.passwordHint}
          problem={submit.problem ?? submit.problemOf("newPassword")}
          autoFocus
        />
        <button className="button primary" type="submit" aria-disabled={submit.isSending}>
          {words.setPassword}
        </button>
      </form>
    </EntranceSheet>
  )
}

function PasswordSet() {
  const words = useEntranceWords()
  const [, navigate] = useLocation()
  return (
    <EntranceSheet title={words.passwordSet}>
      <p role="status">{words.passwordSetHint}</p>
      <button className="button primary" type="button" onClick={() => navigate(ROUTES.home, { replace: true })}>
        {words.signIn}
      </button>
    </EntranceSheet>
  )
}

function EndedLink() {
  const words = useEntranceWords()
  const [, navigate] = useLocation()
  return (
    <EntranceSheet title={words.linkEnded}>
      <FormProblem text={words.linkEndedHint} />
      {boot.passwordReset && (
        <button className="button primary" type="button" onClick={() => navigate(ROUTES.reset, { replace: true })}>
          {words.requestAnother}
        </button>
      )}
      <BackToSignIn />
    </EntranceSheet>
  )
}

function BackToSignIn() {
  const words = useEntranceWords()
  return (
    <div className="aside">
      <Link className="link" href={ROUTES.home}>
        {words.backToSignIn}
      </Link>
    </div>
  )
}

function resetAddress(): string {
  return `${boot.consoleBase.replace(/\/$/, "")}${ROUTES.reset}`
}

function isEndedToken(error: unknown): boolean {
  return error instanceof KitClientError && error.context?.["reason"] === "INVALID_TOKEN"
}
