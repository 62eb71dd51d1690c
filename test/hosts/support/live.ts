import { expect, test } from "vitest"
import { openEvents } from "../../support/oracles/live-events.ts"
import type { Served } from "./conformance.ts"

export function describeLive(served: () => Served): void {
  test("carries live queries: each change is told, and whoever has left is not counted", async () => {
    const { world, url } = served()
    const notes = world.app.system.collections["notes"]
    const topic = {
      id: "live",
      resourceType: "collection",
      resource: "notes",
      where: { title: { startsWith: "live" } },
    }

    for (let round = 1; round <= 3; round++) {
      await using stream = await openEvents({ url, topics: [topic] })
      const told = async () => ((await stream.next("snapshot")).data as { totalDocs: number }).totalDocs
      expect(stream.response.headers.get("content-type")).toContain("text/event-stream")
      expect(await told()).toBe(round - 1)
      await notes?.create({ title: `live ${round}` })
      expect(await told()).toBe(round)
    }
  })
}
