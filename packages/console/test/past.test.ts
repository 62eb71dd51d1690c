import { expect, test } from "vitest"
import { formatsOf } from "../src/kit/formats.ts"
import { shortMoment } from "../src/kit/past.ts"
import { en } from "../src/words/en/index.ts"
import { sk } from "../src/words/sk/index.ts"

const now = new Date(2026, 10, 18, 12, 0).getTime()

test.each([
  [new Date(2026, 10, 18, 11, 59, 40), "now", "teraz"],
  [new Date(2026, 10, 18, 12, 0, 30), "now", "teraz"],
  [new Date(2026, 10, 18, 11, 56), "4 min", "4 min"],
  [new Date(2026, 10, 18, 7, 58), "today, 07:58", "dnes 7:58"],
  [new Date(2026, 10, 18, 17, 5), "today, 17:05", "dnes 17:05"],
  [new Date(2026, 10, 17, 23, 59), "yesterday", "včera"],
  [new Date(2026, 10, 19, 0, 1), "tomorrow", "zajtra"],
  [new Date(2026, 10, 16, 12, 0), "16 Nov", "16. 11."],
  [new Date(2024, 1, 3, 12, 0), "3 Feb 2024", "3. 2. 2024"],
])("%s is %s", (moment, english, slovak) => {
  const inEnglish = { words: en.values, formats: formatsOf("en-GB") }
  const inSlovak = { words: sk.values, formats: formatsOf("sk") }

  expect(shortMoment(moment, now, inEnglish)).toBe(english)
  expect(shortMoment(moment, now, inSlovak).replaceAll("\u00a0", " ")).toBe(slovak)
})
