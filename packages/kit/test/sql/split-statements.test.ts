import { describe, expect, test } from "vitest"
import { splitStatements } from "../../src/sql/text/split-statements.ts"

const textsOf = (script: string) => splitStatements(script).map(({ text }) => text)
const keysOf = (script: string) => splitStatements(script).map(({ key }) => key)

describe("an SQL script", () => {
  test.each([
    ["between statements", "select 1; select 2;\n", ["select 1", "select 2"]],
    ["not in a text", "select 'a;b', 'it''s;'; select 2", ["select 'a;b', 'it''s;'", "select 2"]],
    ["not in a text with escapes", String.raw`select E'\';'; select 2`, [String.raw`select E'\';'`, "select 2"]],
    ["after a text that ends with a backslash", String.raw`select '\'; select 2`, [String.raw`select '\'`, "select 2"]],
    ["not in a name", 'select "a;""b"; select 2', ['select "a;""b"', "select 2"]],
    ["not in dollar quotes", "do $x$ begin; $$;$$ end $x$; select 2", ["do $x$ begin; $$;$$ end $x$", "select 2"]],
    ["between words with dollar signs", "select a$b; select c$b", ["select a$b", "select c$b"]],
    ["not in a comment", "select 1 -- one; two\n; select 2", ["select 1 -- one; two", "select 2"]],
    [
      "not in a nested comment",
      "select /* a; /* b; */ c; */ 1; select 2",
      ["select /* a; /* b; */ c; */ 1", "select 2"],
    ],
    ["and leaves out comments alone", "-- one;\n\n/* two; */;;", []],
  ])("is split at semicolons %s", (_name, script, expected) => {
    expect(textsOf(script)).toEqual(expected)
  })

  test("has the same keys in another layout, and with comments", () => {
    const [plain] = keysOf("update a set b = 'x  y' where c")

    expect(keysOf("-- why\nupdate a\n  set b = 'x  y' /* or */\n  where c;\n")).toEqual([plain])
    expect(keysOf("update a set b = 'x y' where c")).not.toEqual([plain])
  })
})
