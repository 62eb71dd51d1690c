import { createHash, randomBytes } from "node:crypto"
import type { TestOverrides } from "../app/app-inputs.ts"
import { verifyPassword } from "../drivers/better-auth/hash-password.ts"

const PREFIX = "kit-test"

/**
 * Hashes passwords without the work that makes a stolen hash hard to guess, because that is most of the time of a
 * sign-in. Also takes the hashes of a real app, which a database may have that the test names.
 */
export const testPasswords: NonNullable<TestOverrides["passwords"]> = {
  hash: (password) => {
    const salt = randomBytes(8).toString("hex")
    return Promise.resolve(saltedHash(password, salt))
  },
  verify: ({ hash, password }) => {
    const [prefix, salt = ""] = hash.split(":")
    return prefix === PREFIX ? Promise.resolve(hash === saltedHash(password, salt)) : verifyPassword({ hash, password })
  },
}

function saltedHash(password: string, salt: string): string {
  const digest = createHash("sha256").update(salt).update(password.normalize("NFKC")).digest("hex")
  return [PREFIX, salt, digest].join(":")
}
