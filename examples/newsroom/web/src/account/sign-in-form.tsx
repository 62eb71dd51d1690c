import { useMutation } from "kit/react"
import { type FormEvent, useState } from "react"
import { client } from "../client.ts"
import { Button } from "../components/button.tsx"
import { ErrorText } from "../components/error-text.tsx"
import { Field } from "../components/field.tsx"
import { useWords } from "../shell/language.ts"
import { navigate } from "../shell/router.tsx"

/** The users whom the seed of this example creates. An app of your own has none of these. */
const EXAMPLES = [
  { name: "Eva Novak", email: "editor@example.com" },
  { name: "Jonas Berg", email: "jonas@example.com" },
]
const EXAMPLE_PASSWORD = "newsroom"
const WRONG_PASSWORD = "INVALID_EMAIL_OR_PASSWORD"

/** Signs in, or creates an account. */
export function SignInForm() {
  const words = useWords()
  const [isNew, setIsNew] = useState(false)
  const [input, setInput] = useState({ name: "", email: "", password: "" })
  const { name, ...credentials } = input
  const enter = () => (isNew ? client.auth.signUp({ name, ...credentials }) : client.auth.signIn(credentials))
  const entering = useMutation(enter, { onSuccess: () => navigate("/desk") })
  const { error, fieldErrors } = entering
  const texts = isNew ? words.signUp : words.signIn
  const change = (field: keyof typeof input) => (event: FormEvent<HTMLInputElement>) =>
    setInput({ ...input, [field]: event.currentTarget.value })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    entering.run()
  }
  const turn = () => {
    entering.reset()
    setIsNew(!isNew)
  }
  return (
    <div className="page narrow">
      <h1>{texts.title}</h1>
      <p className="lead-in">{texts.text}</p>
      <form className="form" onSubmit={submit}>
        {isNew && (
          <Field label={words.signIn.name} error={fieldErrors["name"]?.[0]}>
            {(control) => (
              <input {...control} required autoComplete="name" value={input.name} onChange={change("name")} />
            )}
          </Field>
        )}
        <Field label={words.signIn.email} error={fieldErrors["email"]?.[0]}>
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
        <Field label={words.signIn.password} error={fieldErrors["password"]?.[0]}>
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
        <ErrorText text={error?.context?.["reason"] === WRONG_PASSWORD ? words.signIn.wrong : error?.message} />
        <Button look="primary" type="submit" isBusy={entering.isPending}>
          {texts.submit}
        </Button>
        <Button look="quiet" onClick={turn}>
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
