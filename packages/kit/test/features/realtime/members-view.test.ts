import { expect, test, vi } from "vitest"
import { MembersViews } from "../../../src/features/realtime/presence/members-view.ts"
import type { Connection } from "../../../src/ports/database.ts"
import type { CommittedChange } from "../../../src/sql/changes/read-changes.ts"
import { MEMBERS_CHANGE } from "../../../src/sql/internal/channel-members.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"

const WAIT = { timeout: 60_000 }
const CHANGED = [{ resourceKind: MEMBERS_CHANGE, resource: "room" } as CommittedChange]

/** The members of a room, from a fake database that answers only on command. */
function openViews() {
  const answers: (() => void)[] = []
  const state = { members: ["ann"] }
  const query = () => {
    const rows = state.members.map((member) => [member, "{}", null])
    return new Promise((resolve) => answers.push(() => resolve({ rows })))
  }
  const onError = (error: unknown) => {
    throw error
  }
  const views = new MembersViews(fakeLiveEngine({ connection: { query } as unknown as Connection, onError }))
  const answer = async () => {
    await vi.waitFor(() => expect(answers).toHaveLength(1), WAIT)
    answers.pop()?.()
  }
  const watch = () => {
    const shown: string[][] = []
    views.watch("room", {
      showMembers: ({ plain }) => void shown.push(JSON.parse(plain).map(({ id }: { id: string }) => id)),
    })
    return shown
  }
  return { state, views, answer, watch, isReading: () => answers.length > 0 }
}

test("whoever comes while a list is read, after it has changed, is shown the next one and none before it", async () => {
  const { state, views, answer, watch, isReading } = openViews()
  const stays = watch()
  await answer()
  await vi.waitFor(() => expect(stays).toEqual([["ann"]]), WAIT)
  state.members = ["ann", "bob"]
  views.onChanges(CHANGED)
  await vi.waitFor(() => expect(isReading()).toBe(true), WAIT)

  state.members = ["ann", "bob", "eva"]
  views.onChanges(CHANGED)
  const late = watch()
  await answer()
  await vi.waitFor(() => expect(stays).toHaveLength(2), WAIT)
  await answer()

  await vi.waitFor(() => expect(late).toEqual([["ann", "bob", "eva"]]), WAIT)
  expect(stays).toEqual([["ann"], ["ann", "bob"], ["ann", "bob", "eva"]])
})

test("whoever comes while a list is read is not shown the one before it", async () => {
  const { state, views, answer, watch, isReading } = openViews()
  const stays = watch()
  await answer()
  await vi.waitFor(() => expect(stays).toHaveLength(1), WAIT)
  state.members = ["ann", "bob"]
  views.onChanges(CHANGED)
  await vi.waitFor(() => expect(isReading()).toBe(true), WAIT)

  const late = watch()
  await answer()

  await vi.waitFor(() => expect(late).toEqual([["ann", "bob"]]), WAIT)
})
