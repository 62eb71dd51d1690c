// @module-tag not-about-engine

import { collection, global, type Session } from "kit"
import { expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const reader: Session = { user: { id: "rita", role: "reader" } }
type Call = { readonly session: Session | null }
const isAdmin = ({ session }: Call) => session?.user.role === "admin"
const isSomebody = ({ session }: Call) => session !== null
const forAdmins = { read: isAdmin, create: isAdmin, update: isAdmin }

// The same collection twice: once with things that only admins may know, or nobody, and once without them.
function papers(hasSecrets: boolean) {
  const stages = {
    draft: { to: [...(hasSecrets ? ["quoriumStage"] : []), "published"] },
    ...(hasSecrets && { quoriumStage: { to: ["published"] } }),
    published: {},
  }
  return collection("papers")
    .fields(({ f }) => ({
      ...(hasSecrets && {
        quoriumFirst: f.text().access(forAdmins),
        quoriumHidden: f.text().hidden(),
        quoriumKind: f.select(["quoriumRed"]).access(forAdmins),
        quoriumCase: f.relation("quoriumCases").access(forAdmins),
        quoriumCases: f.relation("quoriumCases").manyToMany().access({ create: isAdmin, update: isAdmin }),
        quoriumNever: f.text().access({ read: false, create: false, update: false }),
        quoriumRequired: f.text().required().default("quoriumDefault").access(forAdmins),
      }),
      headline: f.text(80).required(),
      lead: f.text(),
      count: f.number().integer(),
      day: f.date(),
      kind: f.select(["news"]),
      note: hasSecrets ? f.text().visible({ quoriumFirst: "x" }) : f.text(),
      desk: f.relation("desks"),
    }))
    .options({ workflow: { stages, initial: "draft", public: "published" } })
    .access({
      read: isSomebody,
      create: isSomebody,
      update: isSomebody,
      transition: ({ session, stage }) => session !== null && stage !== "quoriumStage",
      drafts: ({ session, stage }) => session !== null && stage !== "quoriumStage",
    })
}

const desks = (hasSecrets: boolean) =>
  collection("desks")
    .fields(({ f }) => ({
      ...(hasSecrets && { quoriumName: f.text().access(forAdmins) }),
      name: f.text(),
      ...(hasSecrets && { quoriumPapers: f.relation("quoriumCases").hasMany({ via: "quoriumDesk" }) }),
    }))
    .access({ read: true })

const secrets = [
  collection("quoriumCases")
    .fields(({ f }) => ({ name: f.text(), quoriumDesk: f.relation("desks") }))
    .access({ read: isAdmin, create: isAdmin }),
  global("quoriumPlan")
    .fields(({ f }) => ({ name: f.text() }))
    .access({ read: isAdmin, update: isAdmin }),
]

const world = (hasSecrets: boolean) =>
  testApp({
    resources: [papers(hasSecrets), desks(hasSecrets), ...(hasSecrets ? secrets : [])],
    config: { openapi: true },
  })

const PATHS = [
  "/_kit/schema",
  "/_kit/openapi.json",
  "/papers/meta",
  "/papers/schema",
  "/desks/meta",
  "/desks/schema",
  "/quoriumCases/meta",
  "/quoriumCases/schema",
  "/quoriumCases/1/access",
  "/globals/quoriumPlan/meta",
  "/globals/quoriumPlan/schema",
  "/globals/quoriumPlan/access",
]

async function described(app: TestApp, session: Session | undefined) {
  const answers = []
  for (const path of PATHS) {
    const { status, body } = await app.fetch(path, session ? { session } : {})
    answers.push({ path, status, body: status === 200 ? withoutHashes(body) : body.error.code })
  }
  return answers
}

// A hash covers the sources of rules, and so differs between any two apps.
function withoutHashes(body: any): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === "hash" ? undefined : value)))
}

test("descriptions are those of an app without what the caller may not know", async () => {
  await using secret = await world(true)
  await using plain = await world(false)

  for (const session of [undefined, reader]) {
    const [shown, compared] = [await described(secret, session), await described(plain, session)]

    expect(JSON.stringify(shown.filter(({ status }) => status === 200)).match(/.{60}quorium.{30}/gi)).toBeNull()
    expect(shown.filter(({ path }) => !path.includes("quorium"))).toEqual(
      compared.filter(({ path }) => !path.includes("quorium")),
    )
  }
})

test("a dry run is answered as in an app without what the caller may not know", async () => {
  await using secret = await world(true)
  await using plain = await world(false)
  const inputs = [
    { headline: "one" },
    {},
    { headline: "x".repeat(81), kind: "quoriumRed" },
    { headline: "one", nothing: "x" },
    { headline: "one", quoriumHidden: "x" },
    { headline: "one", desk: "01890000-0000-7000-8000-000000000000" },
  ]
  const dryRuns = async (app: TestApp) => {
    const answers = []
    for (const input of inputs) {
      const init = { method: "POST", body: JSON.stringify(input), headers: { "content-type": "application/json" } }
      const { status, body } = await app.fetch("/papers?dryRun=true", { ...init, session: reader })
      answers.push(withoutChance({ status, body }))
    }
    return answers
  }

  expect(await dryRuns(secret)).toEqual(await dryRuns(plain))
})

function withoutChance(answer: unknown): unknown {
  const chance = new Set(["id", "createdAt", "updatedAt", "requestId"])
  return JSON.parse(JSON.stringify(answer, (name, value) => (chance.has(name) ? undefined : value)))
}
