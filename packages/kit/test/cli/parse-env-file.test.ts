import { expect, test } from "vitest"
import { parseEnvFile } from "../../src/cli/project/parse-env-file.ts"

const readable: [name: string, text: string, variables: Record<string, string>][] = [
  ["nothing", "", {}],
  ["blank lines and comments", "\n  \n# a=b\n   # c\n", {}],
  ["a plain value", "A=1", { A: "1" }],
  ["several lines, the last one without an end", "A=1\n\nB=2", { A: "1", B: "2" }],
  ["the line ends of Windows, and a byte order mark", "\uFEFFA=1\r\nB='2'\r\n", { A: "1", B: "2" }],
  ["an empty value", "A=\nB=''\nC=\"\"", { A: "", B: "", C: "" }],
  ["an empty value with a comment", "A= # none\nB='' # none", { A: "", B: "" }],
  ["export", "export A=1\n  export\tB=2\nexport=3", { A: "1", B: "2", export: "3" }],
  ["spaces around the parts", "  A = 1 2  \nB\t=\t'x'  ", { A: "1 2", B: "x" }],
  ["a comment after a value", "A=1 # one\nB=1#one\nC='1' # one", { A: "1", B: "1#one", C: "1" }],
  ["a # that belongs to the value", "A=#1\nB='a # b'\nC=\"a # b\"", { A: "#1", B: "a # b", C: "a # b" }],
  ["equals signs and quotes inside of a value", 'A=a=b\nB=it\'s\nC=say "hi"', { A: "a=b", B: "it's", C: 'say "hi"' }],
  ["a literal value in single quotes", "A='$B \\n $(C)'", { A: "$B \\n $(C)" }],
  ["escapes in double quotes", 'A="a\\nb\\tc\\"d\\\\e\\$f\\r"', { A: 'a\nb\tc"d\\e$f\r' }],
  ["a backslash without quotes", "A=C:\\new", { A: "C:\\new" }],
  ["several lines in quotes", "A=\"one\n# two\nB=3\"\nC='x\ny'", { A: "one\n# two\nB=3", C: "x\ny" }],
  ["no expansion", 'A=1\nB=$A\nC=$(A)\nD="$A"', { A: "1", B: "$A", C: "$(A)", D: "$A" }],
]

test.each(readable)("%s is read", (_, text, variables) => {
  const parsed = parseEnvFile(".env", text)

  expect(parsed.mistakes).toEqual([])
  expect(Object.fromEntries(parsed.variables)).toEqual(variables)
})

const refused: [name: string, text: string, place: string, message: string][] = [
  ["a line without an equals sign", "A=1\n\nhello", ".env:3", "is not a variable. Write NAME=value"],
  ["a name that begins with a digit", "1A=1", ".env:1", "is not a variable"],
  ["a name with a dash", "MY-NAME=1", ".env:1", "is not a variable"],
  ["a line without a name", "=1", ".env:1", "is not a variable"],
  ["an open double quote", 'A=1\nB="two\nthree', ".env:2", 'B: the quotation mark " is not closed.'],
  ["an open single quote", "A='1", ".env:1", "A: the quotation mark ' is not closed."],
  ["text after a quoted value", "A='1' 2", ".env:1", "A: there is more text after the closing quotation mark."],
  ["an unknown escape", 'A="\\d+"', ".env:1", "A: \\d is not an escape."],
  ["a backtick", "A=`1`", ".env:1", "A: a backtick is not a quotation mark here."],
  ["a variable that is set twice", "A=1\nB=2\nA=3", ".env:3", "sets A again, after line 1."],
  ["a NUL character", "A=a\0b", ".env:1", "A: a value cannot contain a NUL character."],
]

test.each(refused)("%s is refused with its line", (_, text, file, message) => {
  const { mistakes } = parseEnvFile(".env", text)

  expect(mistakes[0]).toEqual({ file, message: expect.stringContaining(message) })
})

test("all mistakes are found together, and none repeats a value", () => {
  const { mistakes } = parseEnvFile(".env", "no secret-a\nA='secret-b' c\nB=`secret-c`\nC=\"secret-d")

  expect(mistakes.map(({ file }) => file)).toEqual([".env:1", ".env:2", ".env:3", ".env:4"])
  expect(JSON.stringify(mistakes)).not.toContain("secret")
})
