/** The hash of a password as the library stores and checks it. */
export async function hashPassword(password: string): Promise<string> {
  const library = await import("better-auth/crypto")
  return library.hashPassword(password)
}

/** Whether a password is the one of a stored hash. */
export async function verifyPassword(stored: { readonly hash: string; readonly password: string }): Promise<boolean> {
  const library = await import("better-auth/crypto")
  return library.verifyPassword(stored)
}
