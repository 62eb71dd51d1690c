import { type AccessRules, ApiError, collection, global, type Session } from "kit"
import { expect } from "vitest"
import { fingerprint } from "./attack-world.ts"
import { type TestApp, testApp } from "./test-app.ts"

type Rule = Extract<AccessRules["read"], (...given: never[]) => unknown>
type Operation = "read" | "create" | "update" | "delete"

export const alice: Session = { user: { id: "alice" } }
export const editor: Session = { user: { id: "eve", role: "editor" } }
export const MISSING = "01890000-0000-7000-8000-000000000000"

const everyone = { read: true, create: true, update: true, delete: true } as const

/** The rules of `things`; a test sets the ones that it is about. */
export const rules: Record<Operation, Rule> = { read: yes, create: yes, update: yes, delete: yes }
/** The arguments of all calls of the rules and hooks of `things`. */
export const heard: unknown[] = []

export function resetRules(): void {
  Object.assign(rules, { read: yes, create: yes, update: yes, delete: yes })
  heard.length = 0
}

function yes(): true {
  return true
}

const rooms = collection("rooms")
  .fields(({ f }) => ({
    name: f.text(),
    boxes: f.relation("boxes").hasMany({ via: "room" }),
    linkedBoxes: f.relation("boxes").manyToMany(),
    mainBox: f.relation("boxes"),
  }))
  .access(everyone)

const boxes = collection("boxes")
  .fields(({ f }) => ({
    name: f.text(),
    room: f.relation("rooms"),
    things: f.relation("things").hasMany({ via: "box" }),
    linked: f.relation("things").manyToMany({ through: "linking" }),
    main: f.relation("things").onDelete("setNull"),
  }))
  .access(everyone)

const shelves = collection("shelves")
  .fields(({ f }) => ({ keeper: f.text() }))
  .access(everyone)

const things = collection("things")
  .fields(({ f }) => ({
    name: f.text().unique(),
    note: f.text(),
    grade: f.text().access({ create: isEditor, update: isEditor }),
    box: f.relation("boxes"),
    shelf: f.relation("shelves"),
    boxes: f.relation("boxes").manyToMany({ through: "linking" }),
  }))
  .access({
    read: (context) => rules.read(context),
    create: (context) => rules.create(context),
    update: (context) => rules.update(context),
    delete: (context) => rules.delete(context),
  })
  .hooks({
    beforeChange: ({ operation, data, onAfterCommit }) => {
      heard.push(`${operation} ${data["name"] ?? ""}`)
      onAfterCommit(() => heard.push("committed"))
    },
    afterChange: ({ row }) => {
      if (row["note"] === "throw") throw new ApiError("CONFLICT", { message: "The hook says no." })
    },
    afterDelete: ({ original, onAfterCommit }) => {
      onAfterCommit(() => heard.push("committed"))
      heard.push(`delete ${original["name"]}`)
      if (original["note"] === "throw") throw new ApiError("CONFLICT", { message: "The hook says no." })
    },
  })

const front = global("front")
  .fields(({ f }) => ({ title: f.text(), main: f.relation("things") }))
  .access({ read: true, update: true })

function isEditor({ session }: { session: Session | null }): boolean {
  return session?.user.role === "editor"
}

export interface NestedWorld extends AsyncDisposable {
  readonly app: TestApp
  add(name: string, data?: Record<string, unknown>): Promise<string>
  /** Empties every table. */
  clear(): Promise<void>
  send(method: string, path: string, body: unknown, session?: Session): ReturnType<TestApp["fetch"]>
  /** Sends a write that has to be refused, and checks that it has changed nothing. */
  refused(method: string, path: string, body: unknown, session?: Session): Promise<Refusal>
}

function commits(): number {
  return heard.filter((one) => one === "committed").length
}

interface Refusal {
  readonly status: number
  /** The error without the parts that differ between equal refusals. */
  readonly error: Record<string, any>
}

// Links first, then tables that refer to each other; a truncate would take longer than a whole test.
const CLEAR = `
  delete from "linking.links"; delete from "rooms.linkedBoxes.boxes.links";
  update rooms set "mainBox" = null; update boxes set main = null; delete from "global_front";
  delete from things; delete from boxes; delete from rooms; delete from shelves; delete from "_kit_changes"`

/** Rooms with boxes with things, related in every way; the test sets the rules of the things. */
export async function nestedWorld(): Promise<NestedWorld> {
  const app = await testApp({ resources: [rooms, boxes, shelves, things, front] })
  const send: NestedWorld["send"] = (method, path, body, session = alice) =>
    app.fetch(path, { method, session, body: JSON.stringify(body) })
  return {
    app,
    send,
    add: async (name, data = {}) => String((await app.app.system.collections[name]?.create(data))?.["id"]),
    clear: async () => void (await app.database.query(CLEAR)),
    refused: async (method, path, body, session) => {
      const before = await fingerprint(app)
      const committed = commits()
      const answer = await send(method, path, body, session)
      expect(await fingerprint(app)).toEqual(before)
      expect(commits()).toBe(committed)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      return { status: answer.status, error: { ...answer.body.error, requestId: "" } }
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
