// The app of the experiment in live.ts: it has every way in which a record can become visible or hidden.
import { collection, global, route, users } from "kit"
import { write } from "./write.ts"

type Caller = { session: { user: { id: string; role?: string | undefined } } | null }

const hasRole =
  (...roles: string[]) =>
  ({ session }: Caller) =>
    roles.includes(session?.user.role ?? "")

function readsProjects({ session }: Caller) {
  if (!session) return { isPublic: true }
  if (session.user.role === "admin") return true
  const { id } = session.user
  return { OR: [{ isPublic: true }, { owner: id }, { team: { is: { memberships: { some: { person: id } } } } }] }
}

function readsTasks({ session }: Caller) {
  if (!session) return { project: { is: { isPublic: true } } }
  const { id } = session.user
  return { OR: [{ assignee: id }, { project: { is: { OR: [{ isPublic: true }, { owner: id }] } } }] }
}

/** A rule that queries the database. */
async function isInSomeTeam({ session, asSystem }: any) {
  if (!session) return false
  const joined = await asSystem().collections["memberships"]?.count({ where: { person: session.user.id } })
  return (joined ?? 0) > 0
}

const people = users()
  .fields(({ f }) => ({
    badge: f.computed(({ row }) => `badge of ${row["id"]}, ${row["role"]}`).access({ read: hasRole("admin") }),
    initial: f.computed(({ row }) => String(row["name"]).charAt(0)),
    length: f.computed(({ row }) => String(row["name"]).length),
  }))
  .access({ read: true })

const teams = collection("teams")
  .fields(({ f }) => ({
    name: f.text(),
    rank: f.number().integer(),
    memberships: f.relation("memberships").hasMany({ via: "team" }),
    projects: f.relation("projects").hasMany({ via: "team" }),
    // The same SQL under another name.
    ventures: f.relation("projects").hasMany({ via: "team" }),
    standing: f.computed(({ row }) => `standing ${row["stamp"]}`).access({ read: hasRole("admin") }),
    label: f.computed(({ row }) => `${row["name"]} at ${row["rank"]}`),
    stamp: f.text(),
  }))
  .access({ read: true })

const memberships = collection("memberships")
  .fields(({ f }) => ({
    person: f.relation("users").onDelete("cascade"),
    team: f.relation("teams").onDelete("cascade"),
    stamp: f.text(),
  }))
  .access({ read: hasRole("admin") })

const projects = collection("projects")
  .fields(({ f }) => ({
    name: f.text(),
    size: f.number().integer(),
    budget: f
      .number()
      .decimal(10, 2)
      .access({ read: hasRole("admin", "editor") }),
    inner: f.text().access({ read: ({ session }) => session !== null && { owner: session.user.id } }),
    at: f.datetime(),
    kind: f.select(["red", "green", "blue"]),
    isPublic: f.boolean().default(false),
    title: f.text().localized(),
    details: f.json(),
    team: f.relation("teams").onDelete("setNull"),
    owner: f.relation("users").onDelete("setNull"),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    tasks: f.relation("tasks").hasMany({ via: "project" }),
    notes: f.relation("notes").hasMany({ via: "project" }),
    taskCount: f.virtual(f.number().integer(), '(select count(*)::int from tasks t where t.project = "id")'),
    taskTotal: f.virtual(f.number().integer(), '(select count(*)::int from tasks t where t.project = "id")'),
    label: f.computed(({ row }) => `${row["name"]} of ${row["size"]}`),
    shout: f.computed(({ row }) => `${row["title"]}!`),
    // Rules by the caller, by the row, and by rows that are the same for all callers.
    margin: f.computed(({ row }) => `margin ${row["stamp"]}`).access({ read: hasRole("admin", "editor") }),
    insider: f
      .computed(({ row }) => `insider ${row["stamp"]}`)
      .access({ read: ({ session }) => session !== null && { owner: session.user.id } }),
    teaser: f.computed(({ row }) => `teaser ${row["stamp"]}`).access({ read: () => ({ kind: { ne: "red" } }) }),
    blurb: f.computed(({ row }) => `blurb ${row["stamp"]}`).access({ read: () => ({ kind: { ne: "red" } }) }),
    stamp: f.text(),
  }))
  .options({ softDelete: true, revision: true, versions: true })
  .access({
    read: readsProjects,
    delete: ({ session }) => hasRole("admin")({ session }) || (session !== null && { owner: session.user.id }),
  })

const tasks = collection("tasks")
  .fields(({ f }) => ({
    name: f.text(),
    done: f.boolean().default(false),
    weight: f.number(),
    project: f.relation("projects").onDelete("cascade"),
    assignee: f.relation("users").onDelete("setNull"),
    parent: f.relation("tasks").onDelete("setNull"),
    children: f.relation("tasks").hasMany({ via: "parent" }),
    stamp: f.text(),
  }))
  .access({ read: readsTasks })

const tags = collection("tags")
  .fields(({ f }) => ({
    name: f.text(),
    projects: f.relation("projects").manyToMany({ through: "tagging" }),
    quota: f.computed(({ row }) => `quota ${row["stamp"]}`).access({ read: isInSomeTeam }),
    stamp: f.text(),
  }))
  .access({ read: true })

const sections = collection("sections")
  .fields(({ f }) => ({ name: f.text(), stamp: f.text() }))
  .access({ read: isInSomeTeam })

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().localized(),
    body: f.textarea(),
    section: f.relation("sections").onDelete("setNull"),
    author: f.relation("users").onDelete("setNull"),
    related: f.relation("articles").manyToMany(),
    verdict: f.computed(({ row }) => `verdict ${row["stamp"]}`).access({ read: hasRole("admin", "editor") }),
    heading: f.computed(({ row }) => `${row["title"]}.`),
    stamp: f.text(),
  }))
  .options({ workflow: true, softDelete: true, versions: true })
  .title("title")
  .searchable({
    fields: ["body"],
    with: { section: true },
    content: ({ section }) => section && `section ${Object(section).name}`,
  })
  .access({
    read: true,
    delete: hasRole("editor", "admin"),
    drafts: ({ session }) =>
      hasRole("editor", "admin")({ session }) || (session !== null && { author: session.user.id }),
  })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), project: f.relation("projects").onDelete("cascade"), stamp: f.text() }))
  .hooks({
    afterRead: async ({ row, session, locale, asSystem }) => {
      const seenBy = `${session?.user.id} as ${session?.user.role} in ${locale}`
      const { project } = row
      const id = typeof project === "object" && project !== null && "id" in project ? project.id : project
      if (typeof id !== "string") return { ...row, seenBy, open: 0 }
      const open = await asSystem().collections["tasks"]?.count({ where: { project: id, done: false } })
      return { ...row, seenBy, open }
    },
  })
  .access({ read: true })

const settings = global("settings")
  .fields(({ f }) => ({
    motto: f.text().localized(),
    featured: f.relation("projects").onDelete("setNull"),
    crest: f.computed(({ row }) => `crest ${row["stamp"]}`).access({ read: hasRole("admin") }),
    cry: f.computed(({ row }) => `${row["motto"]}!`),
    stamp: f.text(),
  }))
  .access({ read: true })

/** The members of a record with a unique text, from which the experiment knows what a user has received. */
export const TELLING = [
  "stamp",
  "inner",
  "standing",
  "margin",
  "insider",
  "teaser",
  "blurb",
  "quota",
  "verdict",
  "crest",
  "badge",
]

/** The options for `testApp`. */
export const world = {
  collections: [people, teams, memberships, projects, tasks, tags, sections, articles, notes],
  globals: [settings],
  routes: { write: route().handler((ctx) => write(ctx)) },
  config: {
    secret: "a secret of 32 characters or more",
    auth: { signUp: true },
    locales: { default: "en", all: ["en", "sk"] },
    limits: { rate: false as const },
    logger: { info: () => {}, warn: () => {}, error: console.error },
    realtime: { topicsPerConnection: 1_000, connectionsPerUser: 1_000 },
  },
}
