import { type FormEvent, useState } from "react"
import { Button } from "../components/button.tsx"
import { Field } from "../components/field.tsx"
import { AuthError, signIn, signUp } from "../shell/auth.ts"
import { useWords } from "../shell/language.tsx"

/** The users whom the seed of this example creates. An app of your own has none of these. */
const EXAMPLES = [
  { name: "Eva Novak", email: "editor@example.com" },
  { name: "Jonas Berg", email: "jonas@example.com" },
]
const EXAMPLE_PASSWORD = "newsroom"

/** Signs in, or creates an account. */
export function SignInForm() {
  const words = useWords()
  const [isNew, setIsNew] = useState(false)
  const [input, setInput] = useState({ name: "", email: "", password: "" })
  const [error, setError] = useState<Error>()
  const [isPending, setIsPending] = useState(false)
  const texts = isNew ? words.signUp : words.signIn
  const change = (name: keyof typeof input) => (event: FormEvent<HTMLInputElement>) =>
    setInput({ ...input, [name]: event.currentTarget.value })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    setIsPending(true)
    try {
      await (isNew ? signUp(input) : signIn(input))
      location.assign("/desk")
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
      setIsPending(false)
    }
  }
  const isWrong = error instanceof AuthError && error.code === "INVALID_EMAIL_OR_PASSWORD"
  return (
    <div className="page narrow">
      <h1>{texts.title}</h1>
      <p className="lead-in">{texts.text}</p>
      <form className="form" onSubmit={submit}>
        {isNew && (
          <Field label={words.signIn.name}>
            {(control) => (
              <input {...control} required autoComplete="name" value={input.name} onChange={change("name")} />
            )}
          </Field>
        )}
        <Field label={words.signIn.email}>
          {(control) => (
            <input
              {...control}
              type="email"
              required
              autoComplete="username"
              value={input.email}
              onChange={change("email")}
            />
          )}
        </Field>
        <Field label={words.signIn.password}>
          {(control) => (
            <input
              {...control}
              type="password"
              required
              minLength={8}
              autoComplete={isNew ? "new-password" : "current-password"}
              value={input.password}
              onChange={change("password")}
            />
          )}
        </Field>
        {error && (
          <p className="form-error" role="alert">
            {isWrong ? words.signIn.wrong : error.message}
          </p>
        )}
        <Button look="primary" type="submit" isBusy={isPending}>
          {texts.submit}
        </Button>
        <Button look="quiet" onClick={() => setIsNew(!isNew)}>
          {texts.other}
        </Button>
      </form>
      {!isNew && (
        <section className="examples" aria-labelledby="examples">
          <h2 id="examples">{words.signIn.demo}</h2>
          {EXAMPLES.map(({ name, email }) => (
            <Button key={email} onClick={() => setInput({ ...input, email, password: EXAMPLE_PASSWORD })}>
              {name}
            </Button>
          ))}
        </section>
      )}
    </div>
  )
}
