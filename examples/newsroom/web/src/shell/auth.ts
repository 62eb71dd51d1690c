export interface SignedInUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role?: string | undefined
}

/** An error of signing in, with its code. */
export class AuthError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export async function session(): Promise<{ readonly user: SignedInUser } | null> {
  const answer = await fetch("/api/auth/get-session")
  return answer.ok ? answer.json() : null
}

export function signIn(input: { readonly email: string; readonly password: string }): Promise<unknown> {
  return post("sign-in/email", input)
}

interface SignUpInput {
  readonly name: string
  readonly email: string
  readonly password: string
}

export function signUp(input: SignUpInput): Promise<unknown> {
  return post("sign-up/email", input)
}

export function signOut(): Promise<unknown> {
  return post("sign-out", {})
}

async function post(path: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`/api/auth/${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  const result = await answer.json()
  if (!answer.ok) throw new AuthError(String(result.error?.code), String(result.error?.message))
  return result
}
