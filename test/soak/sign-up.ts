/** Signs somebody up at a running app. Returns the cookie of the session. */
export async function signUp(url: string, name: string): Promise<string> {
  const headers = { "content-type": "application/json", origin: new URL(url).origin }
  const body = JSON.stringify({ name, email: `${name}@example.com`, password: "correct horse" })
  const response = await fetch(`${url}/auth/sign-up/email`, { method: "POST", headers, body })
  if (!response.ok) throw new Error(`Nobody could sign up: ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ")
}
