import { randomUUID } from "node:crypto"
import { readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { collection, type Session } from "kit"
import { sessions, type TestApp, testApp } from "./test-app.ts"

/** A picture of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

export const ann: Session = { user: { id: "018f0000-0000-7000-8000-00000000000a", role: "editor" } }
export const bob: Session = { user: { id: "018f0000-0000-7000-8000-00000000000b" } }

const isEditor = ({ session }: { session: Session | null }) => session?.user.role === "editor"

export const media = collection("media")
  .fields(({ f }) => ({
    alt: f.text(100),
    rating: f.number().integer(),
    tags: f.array(f.text(20)),
    isSecret: f.boolean().default(false),
    credit: f.text(40).access({ create: isEditor, update: isEditor }),
  }))
  .upload({ maxSize: 64 * 1024, types: ["image/*", "text/*", "application/*", "video/mp4"] })
  .access({
    read: ({ session }) => session !== null || { isSecret: { ne: true } },
    create: ({ session }) => session !== null,
    update: isEditor,
    delete: isEditor,
  })

export const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text(100).required(),
    cover: f.upload("media"),
    gallery: f.upload("media").manyToMany(),
  }))
  .access({ read: true, create: isEditor, update: isEditor, delete: isEditor })

export interface FilesWorld extends TestApp {
  readonly folder: string
  /** Sends a form as this user. */
  send(form: FormData, session?: Session | null, collection?: string): Promise<{ status: number; body: any }>
  /** Requests a file as this user, by its URL or its path. */
  load(url: string, init?: RequestInit & { session?: Session }): Promise<Response>
  /** Returns all files in the folder, including uncommitted ones. */
  stored(): Promise<string[]>
}

/** Starts a server with collections of files. */
export async function filesWorld(options: Parameters<typeof testApp>[0] = {}): Promise<FilesWorld> {
  const folder = join(tmpdir(), `kit-files-${randomUUID()}`)
  const resources = options.resources ?? [media, articles]
  const app = await testApp({ ...options, resources, config: { ...options.config, storage: { folder } } })
  return {
    ...app,
    folder,
    send: (form, session = ann, name = "media") =>
      app.fetch(`/${name}/upload`, { method: "POST", body: form, ...(session && { session }) }),
    load: (url, { session, ...init } = {}) => {
      const headers = new Headers(init.headers)
      if (session) headers.set("cookie", sessions.sign(session))
      return fetch(new URL(url, app.url), { ...init, headers })
    },
    stored: () => filesIn(folder),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns a form with one file, and optional other parts. */
export function formWith(
  bytes: Uint8Array | string,
  name = "a.png",
  parts: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData()
  for (const [part, text] of Object.entries(parts)) form.append(part, text)
  form.append("file", new File([Buffer.from(bytes)], name, { type: "image/png" }))
  return form
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
