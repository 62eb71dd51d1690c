// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient, type QuestpieClientError } from "kit/client"
import { type Mutation, useMutation } from "kit/react"
import type {
  AppConfig,
  ArticlesRecord,
  PeopleCreate,
  PeopleRecord,
  SettingsRecord,
  SettingsUpdate,
} from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
const { settings } = client.globals

export function useOperationsOfTheClient() {
  const create = useMutation(people.create, { optimistic: (view, data) => view.insert(people, data) })
  same<typeof create, Mutation<PeopleCreate, PeopleRecord>>()
  const update = useMutation(articles.updateById, {
    optimistic: (view, { id, data }) => view.patch(articles, id, data),
    onSuccess: (record, { id }) => [record, id] satisfies [ArticlesRecord, string],
    onError: (error) => error satisfies QuestpieClientError,
  })
  void update.run({ id: "a", data: { status: "done" } }).then((record) => record satisfies ArticlesRecord)
  // @ts-expect-error no such choice
  void update.run({ id: "a", data: { status: "finished" } })
  // @ts-expect-error the input is missing
  void update.run()
  same<typeof update.fieldErrors, Readonly<Record<string, readonly string[]>>>()
}

export function useOutcomes() {
  const remove = useMutation(articles.deleteById, { optimistic: (view, { id }) => view.remove(articles, id) })
  return outcomesOf(remove)
}

async function outcomesOf(remove: Mutation<{ id: string }, { success: true }>) {
  const outcome = await remove.runSafe({ id: "a" })
  if (outcome.error) return outcome.error.isCode("NOT_FOUND")
  return outcome.data.success satisfies true
}

export function useGlobalsRoutesAndFunctions() {
  const motto = useMutation(settings.update, { optimistic: (view, data) => view.set(settings, data) })
  same<typeof motto, Mutation<SettingsUpdate, SettingsRecord>>()
  void motto.run({ motto: "New" } satisfies SettingsUpdate)
  const invite = useMutation(client.routes.clubs.$club("a").invite)
  void invite.run({ email: "a@b.sk" }).then(({ role }) => role satisfies "writer" | "editor")
  const leave = useMutation(client.routes.clubs.$club("a").delete)
  void leave.run()
  const own = useMutation((id: string, call) => articles.updateById({ id, data: { status: "done" } }, call))
  void own.run("a").then((record) => record satisfies ArticlesRecord)
}

export function useChanges() {
  useMutation(articles.create, {
    optimistic: (view) => {
      view.insert(people, { name: "Eva", createdAt: new Date() })
      view.in({ locale: "sk" }).patch(articles, "a", { title: "Nový" })
      // @ts-expect-error no such field
      view.patch(articles, "a", { titel: "New" })
      // @ts-expect-error a global has no records
      view.patch(settings, "a", {})
      // @ts-expect-error a collection has many records
      view.set(articles, {})
    },
  })
}
