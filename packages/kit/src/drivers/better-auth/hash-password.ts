/** Hashes a password in better-auth's format. */
export async function hashPassword(password: string): Promise<string> {
  const library = await import("better-auth/crypto")
  return library.hashPassword(password)
}

/** Resolves to true if the password matches the stored hash. */
export async function verifyPassword(stored: { readonly hash: string; readonly password: string }): Promise<boolean> {
  const library = await import("better-auth/crypto")
  return library.verifyPassword(stored)
}
