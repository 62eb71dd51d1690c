import { describe, expect, test } from "vitest"
import { placeLetters } from "../src/keys/place-letters.ts"
import type { Command } from "../src/palette/command.ts"
import { markedParts, matchesWords, wordsOf } from "../src/palette/matching.ts"
import { activeCommand, arrangeSections, hasMatches, stepFrom } from "../src/palette/sections.ts"

const command = (label: string, given: Partial<Command> = {}): Command => ({ id: label, label, icon: null, ...given })
const TITLES = { recent: "Recent", goTo: "Go to", actions: "Do" }
const NOTHING = { places: [], views: [], actions: [], textActions: [], recent: [], records: [], titles: TITLES }

describe("words", () => {
  test.each([
    ["Seven rivers", "riv sev", true],
    ["Seven rivers", "ivers", false],
    ["Článok o ľade", "clanok lade", true],
    ["Große Straße", "strasse", true],
    ["„Quoted“ (again)", "quoted again", true],
    ["Well-known", "known", true],
    ["हिन्दी में", "हिन्दी", true],
    ["anything", "", true],
  ])("%s has %s: %s", (text, query, expected) => {
    expect(matchesWords(text, wordsOf(query))).toBe(expected)
  })

  test.each([
    ["What the lake remembers", "lak", "What the [lak]e remembers"],
    ["Lake by the lake", "lake", "[Lake] by the [lake]"],
    ["Článok", "clan", "[Člán]ok"],
    ["Straße", "stras", "[Straß]e"],
    ["Café noir", "cafe", "[Café] noir"],
    ["nothing", "x", "nothing"],
    ["a<b>&c", "b", "a<[b]>&c"],
    ["👩‍🚀 rocket", "roc", "👩‍🚀 [roc]ket"],
    ["", "a", ""],
  ])("in %s, %s marks %s", (text, query, expected) => {
    const parts = markedParts(text, wordsOf(query))

    expect(parts.map((part) => (part.isMarked ? `[${part.text}]` : part.text)).join("")).toBe(expected)
  })
})

describe("sections", () => {
  test("recent records come first while nothing is typed", () => {
    const sections = arrangeSections({
      ...NOTHING,
      words: [],
      recent: [command("Lake")],
      places: [command("Articles")],
      actions: [command("Sign out")],
    })

    expect(sections.map(({ title }) => title)).toEqual(["Recent", "Go to", "Do"])
  })

  test("places that match come before records, and actions after them", () => {
    const sections = arrangeSections({
      ...NOTHING,
      words: ["ar"],
      recent: [command("Art")],
      places: [command("Articles"), command("Pages")],
      actions: [command("New article"), command("Sign out")],
      records: [{ title: "Articles", commands: [command("Arms race")] }],
      textActions: [command("Search", { isForAnyText: true })],
    })

    expect(sections.map(({ commands }) => commands.map(({ label }) => label))).toEqual([
      ["Articles"],
      ["Arms race"],
      ["New article", "Search"],
    ])
    expect(hasMatches(sections)).toBe(true)
  })

  test("what is offered for any text is no match", () => {
    const textActions = [command("Search", { isForAnyText: true })]
    const sections = arrangeSections({ ...NOTHING, words: ["zz"], places: [command("Pages")], textActions })

    expect(sections).toHaveLength(1)
    expect(hasMatches(sections)).toBe(false)
  })

  test("the first command is chosen until another one is, and the arrows go round", () => {
    const sections = [
      { title: "a", commands: [command("1"), command("2")] },
      { title: "b", commands: [command("3")] },
    ]

    expect(activeCommand(sections, null)?.id).toBe("1")
    expect(activeCommand(sections, "3")?.id).toBe("3")
    expect(activeCommand(sections, "gone")?.id).toBe("1")
    expect(stepFrom(sections, "1", 1)).toBe("2")
    expect(stepFrom(sections, "3", 1)).toBe("1")
    expect(stepFrom(sections, "1", -1)).toBe("3")
    expect(stepFrom([], null, 1)).toBeNull()
  })
})

test("places have letters of their own names, and each letter leads to one place", () => {
  const place = (label: string, name = label) => ({ path: `/${name}`, label, name })
  const places = [
    place("Settings"),
    place("Štítky", "tags"),
    place("Site Pages"),
    place("Статьи", "articles"),
    place("S"),
  ]

  expect([...placeLetters(places)]).toEqual([
    ["/Settings", "s"],
    ["/tags", "t"],
    ["/Site Pages", "p"],
    ["/articles", "a"],
  ])
})
