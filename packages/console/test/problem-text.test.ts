import { KitClientError } from "kit/client"
import { beforeEach, expect, test, vi } from "vitest"
import { fieldProblemText, problemText, providerProblemText } from "../src/screens/entrance/problem-text.ts"
import { entrance } from "../src/words/en/entrance.ts"

// The page's language, which a number is written in.
beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => null })
  vi.stubGlobal("navigator", { languages: ["en"] })
})

const { problems } = entrance

function apiError(details: object): KitClientError {
  return new KitClientError("The API's own words.", { status: 400, statusText: "", url: "", ...details })
}

test.each([
  ["a wrong password", { status: 401, context: { reason: "INVALID_EMAIL_OR_PASSWORD" } }, problems.wrongCredentials],
  ["a ban", { status: 403, context: { reason: "BANNED_USER" } }, problems.banned],
  ["a rate limit", { code: "RATE_LIMITED", context: { retryAfterSeconds: 40 } }, problems.tooMany("40 sec")],
  ["a long rate limit", { code: "RATE_LIMITED", context: { retryAfterSeconds: 601 } }, problems.tooMany("11 min")],
  ["a lost connection", { status: 0 }, problems.unreachable],
  ["an error that the console does not know", { context: { reason: "SOMETHING_NEW" } }, "The API's own words."],
])("%s is said plainly", (_which, details, expected) => {
  expect(problemText(apiError(details), problems)).toBe(expected)
})

test("a field has the problem that the API gives it, in the words of the console where they are known", () => {
  const fieldErrors = ["email", "password", "name"].map((path) => ({ path, message: `Of the API: ${path}.` }))
  const error = apiError({ fieldErrors })

  expect(fieldProblemText(error, "email", problems)).toBe(problems.invalidEmail)
  expect(fieldProblemText(error, "password", problems)).toBe(problems.passwordLength)
  expect(fieldProblemText(error, "name", problems)).toBe("Of the API: name.")
  expect(fieldProblemText(error, "role", problems)).toBeUndefined()
  expect(fieldProblemText(apiError({ code: "CONFLICT", fieldErrors }), "email", problems)).toBe(problems.emailTaken)
})

test("the failure at another service is explained, also one that is not known", () => {
  expect(providerProblemText("access_denied", problems)).toBe(problems.providerCancelled)
  expect(providerProblemText("whatever", problems)).toBe(problems.provider)
})
