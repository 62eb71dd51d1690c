/** The hash of a password as the library stores and checks it. */
export async function hashPassword(password: string): Promise<string> {
  const library = await import("better-auth/crypto")
  return library.hashPassword(password)
}
