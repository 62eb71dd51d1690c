import { expect, test } from "vitest"
import { parseAddress, parseSender } from "../../src/features/email/addresses.ts"
import { leastMsOf } from "../least-time.ts"

test.each([
  ["ann@example.com", "ann@example.com"],
  ["Ann.O'Neil+news@Mail.Example.COM", "Ann.O'Neil+news@mail.example.com"],
  ["a!#$%&*/=?^_`{|}~-@x.test", "a!#$%&*/=?^_`{|}~-@x.test"],
  ["info@müller.de", "info@xn--mller-kva.de"],
  [`${"a".repeat(64)}@x.test`, `${"a".repeat(64)}@x.test`],
])("%s is an address", (text, address) => {
  expect(parseAddress(text)).toBe(address)
})

test.each([
  ["nothing", ""],
  ["no domain", "ann@"],
  ["no local part", "@x.test"],
  ["a domain without a dot", "ann@localhost"],
  ["a number for a domain", "ann@127.0.0.1"],
  ["a literal for a domain", "ann@[127.0.0.1]"],
  ["a header after a line break", "a@x.test\r\nBcc: b@y.test"],
  ["a line break in the domain", "a@x.te\nst"],
  ["a line break at the end", "a@x.test\n"],
  ["a tab in the domain", "a@x.te\tst"],
  ["a NUL", "a\0@x.test"],
  ["a list", "a@x.test, b@y.test"],
  ["a list with a semicolon", "a@x.test;b@y.test"],
  ["a quoted local part", '"a@evil x"@in.test'],
  ["a quoted local part without a space", '"a@evil.test"@in.test'],
  ["two at signs", "a@b@x.test"],
  ["a name", "Ann <ann@x.test>"],
  ["angle brackets", "<ann@x.test>"],
  ["a comment", "ann(home)@x.test"],
  ["a route", "<@a.test:ann@x.test>"],
  ["a percent sign in the domain", "ann@x%2etest"],
  ["two dots", "a..b@x.test"],
  ["a dot at the start", ".a@x.test"],
  ["a dot at the end of the domain", "a@x.test."],
  ["a hyphen at the end of a label", "a@x-.test"],
  ["a space", "ann @x.test"],
  ["a space around", " ann@x.test"],
  ["a full-width slash", "ann@x.test／y"],
  ["a direction mark", "ann@x.\u202etest"],
  ["a local part that is not ASCII", "änn@x.test"],
  ["a long local part", `${"a".repeat(65)}@x.test`],
  ["a long label", `ann@${"a".repeat(64)}.test`],
  ["a long address", `ann@${"a.".repeat(130)}test`],
])("%s is no address", (_name, text) => {
  expect(parseAddress(text)).toBeUndefined()
})

test("a long text is refused at once", () => {
  const texts = [`${"a.".repeat(500_000)}@`, "@".repeat(1_000_000)]

  const milliseconds = leastMsOf(() => expect(texts.map(parseAddress)).toEqual([undefined, undefined]))

  expect(milliseconds).toBeLessThan(100)
})

test.each([
  ["news@x.test", { name: undefined, address: "news@x.test" }],
  ["Newsroom <news@x.test>", { name: "Newsroom", address: "news@x.test" }],
  ["Kit, Inc. <news@x.test>", { name: "Kit, Inc.", address: "news@x.test" }],
  ["<news@x.test>", undefined],
  ["News <news@x.test> <b@y.test>", undefined],
  ["News\r\nBcc: b@y.test <news@x.test>", undefined],
  ['"News" <news@x.test>', undefined],
  ["News <news@x.test", undefined],
])("the sender %s", (text, sender) => {
  expect(parseSender(text)).toEqual(sender)
})
