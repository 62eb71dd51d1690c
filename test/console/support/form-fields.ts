import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { WAIT } from "./use-console.ts"

/** How a person gives a value: by typing it, by keys into the parts of a date, by choosing options, as a tick. */
type Kind = "text" | "segments" | "choice" | "choices" | "tick"

/** A field of a form, with what a person enters and what the API then has. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly kind: Kind
  readonly entered: readonly [created: string, edited: string]
  readonly stored: readonly [created: unknown, edited: unknown]
  /** False if there always has to be a value. */
  readonly isClearable: boolean
}

/** Enters a value as a person would, and leaves the field. */
export async function enter(page: Page, { kind, label }: FormField, value: string): Promise<void> {
  const named = { name: label, exact: true }
  switch (kind) {
    case "text":
      await page.getByRole("textbox", named).fill(value)
      await page.keyboard.press("Tab")
      return
    case "segments":
      await enterSegments(page, label, value)
      return
    case "choice":
      await page.getByRole("radiogroup", named).getByText(value, { exact: true }).click()
      return
    case "choices":
      for (const option of value.split(", ")) {
        await page.getByRole("group", named).getByText(option, { exact: true }).click()
      }
      return
    case "tick":
      await page.getByRole("checkbox", named).press("Space")
      return
    default:
      kind satisfies never
  }
}

/** Types the parts of a date, of a time or of both, such as `2026-11-02T09:30`, whatever their order in the form is. */
async function enterSegments(page: Page, label: string, value: string): Promise<void> {
  const group = page.getByRole("group", { name: label, exact: true })
  const [, year, month, day] = /(\d{4})-(\d\d)-(\d\d)/.exec(value) ?? []
  const [, hour, minute] = /(\d\d):(\d\d)/.exec(value) ?? []
  for (const [part, digits] of Object.entries({ day, month, year, hour, minute })) {
    if (digits === undefined) continue
    await group.getByRole("spinbutton", { name: new RegExp(`^${part}, `) }).focus()
    await page.keyboard.type(digits)
  }
  // In formats of twelve hours: all times of the tests are in the morning.
  const half = group.getByRole("spinbutton", { name: /^AM\/PM/ })
  if ((await half.count()) > 0) {
    await half.focus()
    await page.keyboard.type("a")
  }
}

/** Takes the value away: an emptied text, or the button that clears the others. */
export async function clear(page: Page, field: FormField): Promise<void> {
  if (field.kind === "text") await enter(page, field, "")
  else if (field.kind === "choices") {
    for (const box of await page.getByRole("group", { name: field.label, exact: true }).getByRole("checkbox").all()) {
      if (await box.isChecked()) await box.press("Space")
    }
  } else await page.getByRole("button", { name: `Clear ${field.label}`, exact: true }).press("Enter")
}

/** Returns a value of the API in the form in which the fields above name it. */
export function plain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString()
  return value instanceof Date ? value.toISOString() : value
}

/** Saves what is edited in a form, and waits until it is stored. */
export async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Save/ }).click()
  await expectSaved(page)
}

/** Waits until everything in a form is stored. The button stays until then. */
export async function expectSaved(page: Page): Promise<void> {
  await page.waitForURL((url) => !url.pathname.endsWith("/new"), WAIT)
  await expect.poll(() => page.getByRole("button", { name: /^Save/ }).count(), WAIT).toBe(0)
}

/** Returns whether an input is marked as invalid, and described by a sentence like this. */
export async function isRefused(box: Locator, says: RegExp): Promise<boolean> {
  await expect
    .poll(() => box.getAttribute("aria-invalid"), WAIT)
    .toBe("true")
    .catch(() => undefined)
  const ids = ((await box.getAttribute("aria-describedby")) ?? "").split(" ").filter(Boolean)
  const texts = await Promise.all(ids.map((id) => box.page().locator(`[id="${id}"]`).textContent()))
  return (await box.getAttribute("aria-invalid")) === "true" && says.test(texts.join(" "))
}
