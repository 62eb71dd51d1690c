import { createClient } from "kit/client"
import { type FormEvent, useState } from "react"
import type { Boot } from "../kit/boot.ts"

/** The page on which people sign in, or make the first account. */
export default function SignIn({ boot }: { readonly boot: Boot }) {
  const [message, setMessage] = useState("")
  const token = new URLSearchParams(location.hash.slice(1)).get("setup")
  const isSetUp = boot.setUpOpen && token !== null
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { auth } = createClient({ baseURL: location.origin, basePath: boot.apiBase })
    const given = Object.fromEntries(new FormData(event.currentTarget)) as {
      name: string
      email: string
      password: string
    }
    const { user } = await (isSetUp ? auth.setUp({ ...given, token }) : auth.signIn(given))
    setMessage(`Signed in as ${String(user["name"])}`)
  }
  return (
    <main className="entrance">
      <form
        className="letter-sheet"
        onSubmit={(event) => void submit(event).catch((error) => setMessage(String(error)))}
      >
        <h1>{boot.brand.name}</h1>
        {isSetUp && <input className="input" name="name" aria-label="Name" />}
        <input className="input" name="email" type="email" aria-label="E-mail" />
        <input className="input" name="password" type="password" aria-label="Password" />
        <button className="button primary" type="submit">
          {isSetUp ? "Create the first account" : "Sign in"}
        </button>
        <p role="status">{message}</p>
      </form>
    </main>
  )
}
