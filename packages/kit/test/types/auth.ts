// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import {
  type AppTypes,
  type Client,
  type ClientSession,
  createClient,
  type SignedIn,
  type SignUpByMail,
} from "kit/client"
import { type LiveResult, preload, useSession } from "kit/react"
import { same } from "./same.ts"

interface User {
  id: string
  name: string
  theme: "light" | "dark"
  createdAt: Date
}

/** As `kit generate` writes it. */
interface App extends AppTypes {
  auth: {
    user: User
    signUp: { theme?: "light" | "dark" }
    update: { theme?: "light" | "dark"; bio?: string | null }
  }
}

const client = createClient<App>({ baseURL: "http://localhost:3000" })
const { auth } = client

export async function signingIn() {
  const signedIn = await auth.signIn({ email: "eva@example.com", password: "…", rememberMe: false })
  same<typeof signedIn, SignedIn<User>>()
  const signedUp = await auth.signUp({ name: "Eva", email: "eva@example.com", password: "…", theme: "dark" })
  same<typeof signedUp, SignedIn<User> | SignUpByMail>()
  if (signedUp.token !== null) same<typeof signedUp.user, User>()
  const { url } = await auth.signInWith("github", { redirectTo: "/welcome" })
  same<typeof url, string>()
  same<Awaited<ReturnType<typeof auth.signOut>>, void>()
  // @ts-expect-error the password is missing
  await auth.signIn({ email: "eva@example.com" })
  // @ts-expect-error no such theme
  await auth.signUp({ name: "Eva", email: "eva@example.com", password: "…", theme: "blue" })
  // @ts-expect-error a sign-up cannot set this field
  await auth.signUp({ name: "Eva", email: "eva@example.com", password: "…", bio: "…" })
  // @ts-expect-error nor the role
  await auth.signUp({ name: "Eva", email: "eva@example.com", password: "…", role: "admin" })
}

export async function sessions() {
  const session = await auth.session({ timeout: 1_000 })
  same<typeof session, ClientSession<User> | null>()
  same<NonNullable<typeof session>["session"], { readonly id: string; readonly expiresAt: Date } | undefined>()
  const stop = auth.watch((now) => same<typeof now, ClientSession<User> | null>(), { onError: console.error })
  same<typeof stop, () => void>()
  await auth.update({ name: "Eva M.", image: null, theme: "dark", bio: null })
  // @ts-expect-error users do not change their address this way
  await auth.update({ email: "other@example.com" })
  // @ts-expect-error no such field
  await auth.update({ level: 1 })
  same<Awaited<ReturnType<typeof auth.providers>>, readonly string[]>()
}

export function Hooks() {
  const result = useSession(client)
  same<typeof result, LiveResult<ClientSession<User> | null>>()
  if (result.status === "live") same<typeof result.data, ClientSession<User> | null>()
  const provided = useSession<App>()
  same<typeof provided, typeof result>()
  const untyped = useSession().data?.user
  same<typeof untyped, { readonly [field: string]: unknown; readonly id: string } | undefined>()
  void preload(client.auth, {}, { headers: { cookie: "…" } })
  // @ts-expect-error not a client
  useSession(client.collections)
}

/** An app with its own session provider has no users, and so nothing in `auth`. */
export function withoutUsers(other: Client<AppTypes>) {
  // @ts-expect-error there is nothing to sign in to
  other.auth.signIn
}
