import { expect, test } from "vitest"
import { type Part, PartList } from "../../src/app/part-list.ts"

interface Inputs {
  readonly events: string[]
}

const roofPart: Part<Inputs & { readonly walls: number }, { readonly roof: string }> = {
  open: ({ events, walls }) => {
    events.push("open roof")
    return { roof: `a roof on ${walls} walls` }
  },
  close: ({ events, roof }) => events.push(`close ${roof}`),
}

const wallsPart: Part<Inputs, { readonly walls: number }> = {
  open: async ({ events }) => {
    await Promise.resolve()
    events.push("open walls")
    return { walls: 4 }
  },
  close: ({ events, walls }) => events.push(`close ${walls} walls`),
}

const lockedPart: Part<Inputs, object> = {
  open: () => {
    throw new Error("The door is locked.")
  },
  close: ({ events }) => events.push("close door"),
}

test("parts open in their order, get what was opened before them, and close in the reverse order", async () => {
  const events: string[] = []

  const { opened, close } = await PartList.withInputs<Inputs>().add(wallsPart).add(roofPart).open({ events })
  await close()

  expect(opened.roof).toBe("a roof on 4 walls")
  expect(events).toEqual(["open walls", "open roof", "close a roof on 4 walls", "close 4 walls"])
})

test("if a part fails to open, those before it are closed, and its error is thrown", async () => {
  const events: string[] = []
  const stuckPart: Part<Inputs, object> = {
    open: () => ({}),
    close: () => Promise.reject(new Error("It is stuck.")),
  }

  const opening = PartList.withInputs<Inputs>().add(wallsPart).add(stuckPart).add(lockedPart).open({ events })

  await expect(opening).rejects.toThrow("The door is locked.")
  expect(events).toEqual(["open walls", "close 4 walls"])
})

test("the compiler rejects a part before the parts that it needs", async () => {
  const list = PartList.withInputs<Inputs>()

  // @ts-expect-error: the walls are missing.
  const { opened } = await list.add(roofPart).open({ events: [] })

  expect(opened.roof).toBe("a roof on undefined walls")
})
