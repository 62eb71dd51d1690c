import { expect, test } from "vitest"
import { findingsIn } from "./support/findings.ts"
import { emailOf, NAMES, PASSWORD, ROLES } from "./support/people.ts"
import { fillSignIn, SIZES, useConsole, WAIT } from "./support/use-console.ts"

const browser = useConsole()

test("a wrong password is refused with a sentence that does not say whether the account exists", async () => {
  const page = await browser.open("/")
  const says: (string | null)[] = []

  for (const email of [emailOf("admin"), "nobody@example.com"]) {
    await fillSignIn(page, { email, password: "wrong password" })
    await page.getByRole("alert").getByText(/wrong/).waitFor(WAIT)
    says.push(await page.getByRole("alert").textContent())
    await page.reload()
  }

  expect(says[0]).toBe(says[1])
  expect(await page.getByRole("navigation").count()).toBe(0)
})

test.each(ROLES)("the role %s signs in by keyboard, and sees its own name", async (role) => {
  const page = await browser.open("/")
  await page.getByRole("textbox", { name: "E-mail" }).focus()

  await page.keyboard.type(emailOf(role))
  await page.keyboard.press("Tab")
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press("Enter")

  await page.getByText(NAMES[role]).first().waitFor(WAIT)
})

test("before somebody has signed in, nothing is asked but who it is, and nothing of the app is shown", async () => {
  const page = await browser.openEmpty()
  const asked: string[] = []
  page.on("request", (request) => {
    if (request.resourceType() === "fetch") asked.push(new URL(request.url()).pathname)
  })
  await page.goto(browser.urlOf("/collections/stories"))
  await page.getByRole("button", { name: "Sign in" }).waitFor(WAIT)

  // The session of the page is a live one.
  expect(asked.filter((path) => !["/api/auth/get-session", "/api/realtime"].includes(path))).toEqual([])
  expect(await page.content()).not.toMatch(/Stories|Specimens|vault/i)
})

test.each(Object.entries(SIZES))(
  "the sign-in has no finding of axe on a %s, in both themes",
  async (_name, viewport) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.open("/", { viewport, colorScheme })
      await page.getByRole("button", { name: "Sign in" }).waitFor(WAIT)

      expect(await findingsIn(page)).toEqual([])
    }
  },
)
