import { expect, test } from "vitest"
import { seededRandom } from "../../../../../test/support/seeded-random.ts"
import { resolveBodyRedirects, resolveQueryRedirects } from "../../../src/features/auth/redirects.ts"

const OWN = "https://own.example.com"
const OTHER = "https://app.example.com:8443"
const origins = { own: OWN, others: [OTHER] }

const PARTS = [
  ...["/", "/", "//", ".", "..", "../", "%2e", "%2E%2e", ".%2e", "a", "evil.test", "@", ":", "?", "#", "%2f", "%5c"],
  ...[
    "%09",
    ";",
    "\\",
    "\t",
    "\n",
    "\r",
    " ",
    "\u3002",
    "\uff0f",
    "%252e",
    "&",
    "http:",
    "https://",
    OWN,
    OTHER,
    "[",
    "::1",
  ],
]

/** The address as it is sent on; undefined where it is refused. */
function sentOn(callbackURL: string): string | undefined {
  try {
    return String(resolveBodyRedirects({ callbackURL }, origins)["callbackURL"])
  } catch {
    return undefined
  }
}

test("an address that is sent on is allowed wherever it is resolved, and stays as it is", () => {
  const random = seededRandom()
  const address = () =>
    (random.below(6) === 0 ? "" : "/") +
    Array.from({ length: 1 + random.below(9) }, () => PARTS[random.below(PARTS.length)]).join("")
  let accepted = 0
  for (let turn = 0; turn < 20_000; turn++) {
    const url = address()
    const sent = sentOn(url)
    if (sent === undefined) continue
    accepted += 1
    const { origin, username, password } = new URL(sent, OWN)

    expect({ seed: random.seed, url, origin: [OWN, OTHER].includes(origin), username, password }).toEqual({
      seed: random.seed,
      url,
      origin: true,
      username: "",
      password: "",
    })
    expect(sentOn(sent)).toBe(sent)
    // As a reader would that decodes the path once more.
    if (sent.startsWith("/")) expect(decodeOnce(sent)).not.toMatch(/^[/\\]{2}/)
  }
  expect(accepted).toBeGreaterThan(500)
})

const decodeOnce = (text: string) => text.replace(/%[\da-f]{2}/gi, (code) => decodeByte(code))
const decodeByte = (code: string) => String.fromCharCode(Number.parseInt(code.slice(1), 16))

test.each([
  ["/a/../b?c=%2Fd#e", "/b?c=%2Fd#e"],
  ["/a b", undefined],
  [`${OTHER}/a/./b`, `${OTHER}/a/b`],
  [`${OTHER}//evil.test`, `${OTHER}//evil.test`],
  ["//own.example.com/x", undefined],
  [`https://u:p@own.example.com/`, undefined],
  ["HTTPS://OWN.EXAMPLE.COM/x", `${OWN}/x`],
  ["/..//evil.test", undefined],
])("%s becomes %s", (given, sent) => {
  expect(sentOn(given)).toBe(sent)
})

test("a query is left alone unless it names a redirect, and then names it once", () => {
  expect(resolveQueryRedirects("token=a+b&x=%41", origins)).toBe("token=a+b&x=%41")
  expect(resolveQueryRedirects("callbackURL=%2Fa%2F..%2Fb&token=t", origins)).toBe("callbackURL=%2Fb&token=t")
  expect(() => resolveQueryRedirects("callbackURL=/a&callbackURL=/b", origins)).toThrow()
  expect(() => resolveQueryRedirects("c%61llbackURL=/..//evil.test", origins)).toThrow()
})
