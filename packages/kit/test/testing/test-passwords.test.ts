import { expect, test } from "vitest"
import { hashPassword } from "../../src/drivers/better-auth/hash-password.ts"
import { testPasswords } from "../../src/testing/test-passwords.ts"

test.each([
  ["of a test app", testPasswords.hash],
  ["of a real app", hashPassword],
])("a hash %s is that of one password alone, and has a salt", async (_, hash) => {
  const [one, other] = [await hash("correct horse"), await hash("correct horse")]

  expect(one).not.toBe(other)
  expect(await testPasswords.verify({ hash: one, password: "correct horse" })).toBe(true)
  expect(await testPasswords.verify({ hash: one, password: "wrong horse" })).toBe(false)
  expect(await testPasswords.verify({ hash: one, password: "" })).toBe(false)
})
