import { expect, test } from "vitest"
import { accentOf, contrastOf } from "../src/kit/accent.ts"

const SHEETS = { light: "#fffefb", dark: "#191816" } as const
const COLORS = ["#2453d6", "#ffff00", "#000000", "#ffffff", "#00ff88", "#0d0", "#800000", "#808080", "#1b2a7a"]

test("an accent of any color can be read on the sheets of both themes", () => {
  for (const color of COLORS) {
    const { light, dark } = accentOf(color)
    expect(contrastOf(light, SHEETS.light), `${color} in the light theme`).toBeGreaterThanOrEqual(4.5)
    expect(contrastOf(dark, SHEETS.dark), `${color} in the dark theme`).toBeGreaterThanOrEqual(4.5)
  }
})

test("a color that can be read already stays as it is", () => {
  expect(accentOf("#2453d6").light).toBe("#2453d6")
  expect(accentOf("#9db8ff").dark).toBe("#9db8ff")
})

test("the contrast of black and white is 21", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21, 5)
})
