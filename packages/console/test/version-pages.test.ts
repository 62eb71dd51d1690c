import { expect, test } from "vitest"
import {
  currentVersion,
  differingFields,
  versionPages,
  withNewest,
  withOlder,
} from "../src/screens/record/versions/version-pages.ts"

const doc = (versionNumber: number, more: object = {}) => ({
  id: "1",
  versionNumber,
  versionOperation: "update",
  versionCreatedAt: new Date(versionNumber),
  versionUserId: "ann",
  versionStage: null,
  ...more,
})
const page = (numbers: readonly number[], hasNextPage = true) =>
  versionPages({ docs: numbers.map((number) => doc(number)), endCursor: `behind ${numbers.at(-1)}`, hasNextPage })
const numbersOf = ({ versions }: ReturnType<typeof page>) => versions.map(({ number }) => number)

test("older versions follow the newer ones, each of them once", () => {
  const both = withOlder(page([5, 4]), page([4, 3, 2], false))

  expect(numbersOf(both)).toEqual([5, 4, 3, 2])
  expect(both).toMatchObject({ hasMore: false, endCursor: "behind 2" })
})

test("a newer first page stands before what is read already", () => {
  const known = withOlder(page([5, 4]), page([3, 2]))

  const newest = withNewest(known, page([6, 5]))

  expect(numbersOf(newest)).toEqual([6, 5, 4, 3, 2])
  expect(newest.endCursor).toBe("behind 2")
})

test("a first page that does not reach what is read takes its place", () => {
  expect(numbersOf(withNewest(page([5, 4]), page([9, 8])))).toEqual([9, 8])
})

test("the working copy is at its newest version, not at that of a stage", () => {
  const pages = versionPages({
    docs: [doc(3, { versionStage: "published" }), doc(2)],
    endCursor: null,
    hasNextPage: false,
  })

  expect(currentVersion(pages)?.number).toBe(2)
})

test("a version has the people who wrote it, or the one whose write it was", () => {
  const [together, alone, app] = versionPages({
    docs: [doc(3, { versionAuthors: ["ann", "bob"] }), doc(2), doc(1, { versionUserId: null })],
    endCursor: null,
    hasNextPage: false,
  }).versions

  expect([together?.authors, alone?.authors, app?.authors]).toEqual([["ann", "bob"], ["ann"], []])
})

test("only content makes a difference, and nothing is the same as null", () => {
  const now = { shout: "LAKE", title: "Lake", lead: null, size: { w: 1 }, revision: 4, updatedAt: new Date(4) }
  const version = {
    shout: "SEA",
    title: "Sea",
    lead: undefined,
    size: { w: 1 },
    revision: 2,
    updatedAt: new Date(2),
    versionNumber: 2,
  }

  const fields = { title: {}, lead: {}, size: {}, updatedAt: {}, shout: { valueType: null } }
  expect([...differingFields(fields, { version, now })]).toEqual(["title"])
})
