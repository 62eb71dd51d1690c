import { type FormEvent, useState } from "react"
import { client } from "../../kit/client.ts"
import { useWords } from "../../words/words.ts"
import { EntranceSheet } from "./entrance-sheet.tsx"

/** Signs in with an address and a password. The session that follows opens the desk. */
export function SignIn() {
  const words = useWords("entrance")
  const [problem, setProblem] = useState<string>()
  const [isSending, setIsSending] = useState(false)

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setIsSending(true)
    setProblem(undefined)
    try {
      await client.auth.signIn({ email: String(form.get("email")), password: String(form.get("password")) })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setIsSending(false)
    }
  }

  return (
    <EntranceSheet>
      <form onSubmit={send}>
        <h1>{words.signIn}</h1>
        <div className="field">
          <label htmlFor="email">{words.email}</label>
          <input className="input" id="email" name="email" type="email" autoComplete="username" required />
        </div>
        <div className="field">
          <label htmlFor="password">{words.password}</label>
          <input
            className="input"
            id="password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            aria-describedby={problem && "problem"}
          />
          {problem && (
            <span className="problem" id="problem" role="alert">
              {problem}
            </span>
          )}
        </div>
        <button className="button primary" type="submit" disabled={isSending}>
          {words.signIn}
        </button>
      </form>
    </EntranceSheet>
  )
}
