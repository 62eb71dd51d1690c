import { expect, test } from "vitest"
import { problemsOf } from "./problems-of.ts"

const breaches: [name: string, path: string, text: string, problem: string][] = [
  [
    "client reaches into the engine",
    "client/transport.ts",
    'import { a } from "../wire/a.ts"\n\nimport { find } from "../engine/find.ts"',
    "client/transport.ts:3 imports engine/find.ts: client may import only wire",
  ],
  [
    "wire uses a node: module",
    "wire/paths.ts",
    'import { join } from "node:path"',
    "wire/paths.ts:1 imports node:path: wire may import no npm package and no node: module",
  ],
  [
    "engine names a feature as a type",
    "engine/engine.ts",
    'import type { Jobs } from "../features/jobs/jobs.ts"',
    "engine/engine.ts:1 imports features/jobs/jobs.ts: engine may import only wire, ports, schema, sql",
  ],
  [
    "a type is imported inline",
    "wire/paths.ts",
    'export type Path = import("../schema/field.ts").Field',
    "wire/paths.ts:1 imports schema/field.ts: wire may import nothing",
  ],
  [
    "a dynamic import dodges the rule",
    "sql/select.ts",
    'export const load = () => import("../engine/find.ts")',
    "sql/select.ts:1 imports engine/find.ts: sql may import only wire, schema, types of ports",
  ],
  [
    "a file is re-exported from above",
    "schema/field.ts",
    'export * from "../sql/where.ts"',
    "schema/field.ts:1 imports sql/where.ts: schema may import only wire, types of ports",
  ],
  [
    "schema imports a port as a value",
    "schema/access.ts",
    'import { type Session } from "../ports/session.ts"',
    'schema/access.ts:1 imports ports/session.ts: schema may import only its types, so write "import type"',
  ],
  [
    "ports import each other as values",
    "ports/queue.ts",
    'import { type Database } from "./database.ts"\nexport interface Queue { db: Database }',
    'ports/queue.ts:1 imports ports/database.ts: ports may import only its types, so write "import type"',
  ],
  [
    "one feature knows another",
    "features/jobs/worker.ts",
    'import { send } from "../email/send.ts"',
    "features/jobs/worker.ts:1 imports features/email/send.ts: one feature may not import another",
  ],
  [
    "http writes SQL",
    "http/handler.ts",
    'import { select } from "../sql/select.ts"',
    "http/handler.ts:1 imports sql/select.ts: http may import only wire, ports, schema, engine, features",
  ],
  [
    "a driver uses the package of another",
    "drivers/disk-files.ts",
    'import pg from "pg"',
    "drivers/disk-files.ts:1 imports pg: drivers may import of packages only node:*",
  ],
  [
    "the command line knows more of the engine than migrations",
    "cli/commands/dev.ts",
    'import { find } from "../../engine/operations/find.ts"',
    "cli/commands/dev.ts:1 imports engine/operations/find.ts: cli may import only app, drivers, engine/migrate, ports, schema, sql, wire",
  ],
  [
    "an inner file imports a public entry",
    "app/create-app.ts",
    'import { collection } from "../index.ts"',
    "app/create-app.ts:1 imports index.ts: only adapters may import the public entries",
  ],
  [
    "an inner file imports the package by its name",
    "app/create-app.ts",
    'import { createClient } from "kit/client"',
    "app/create-app.ts:1 imports client.ts: only adapters may import the public entries",
  ],
  [
    "an adapter reaches behind the entries",
    "adapters/node.ts",
    'import { handle } from "../http/handler.ts"',
    "adapters/node.ts:1 imports http/handler.ts: adapters may import only the public entries",
  ],
  [
    "ports hold code",
    "ports/clock.ts",
    "export interface Clock { now(): Date }\nexport const clock = 1",
    "ports/clock.ts:2 is code on a floor of types: move it to the floor that runs it",
  ],
  [
    "schema asks Date for the time",
    "schema/field.ts",
    "export const now = () => Date.now()",
    "schema/field.ts:1 reads the clock: take the time as an argument",
  ],
  [
    "sql makes a date of now",
    "sql/write.ts",
    "export const now = () => new Date()",
    "sql/write.ts:1 reads the clock: take the time as an argument",
  ],
  [
    "a command reads the environment past the table of variables",
    "cli/commands/start.ts",
    'export const port = process.env["PORT"]',
    "cli/commands/start.ts:1 reads the environment: take the value as an argument; app and cli call readVariable",
  ],
  [
    "schema reads the environment",
    "schema/field.ts",
    "export const { HOME } = process.env",
    "schema/field.ts:1 reads the environment: take the value as an argument; app and cli call readVariable",
  ],
  [
    "the engine knows a web request",
    "engine/engine.ts",
    "export function handle(request: Request): string {\n  return request.url\n}",
    "engine/engine.ts:1 names Request or Response: only http and what is above it know them",
  ],
  [
    "a folder is not in the table",
    "magic/spell.ts",
    "export const spell = 1",
    "magic/ is no floor of the house: add it to the table in scripts/checks/layers.mjs",
  ],
]

test.each(breaches)("is refused: %s", async (_name, path, text, problem) => {
  const problems = await problemsOf("layers", { [`packages/kit/src/${path}`]: text })

  expect(problems).toEqual([problem])
})

const allowed: [name: string, path: string, text: string][] = [
  ["a file uses its own floor", "wire/paths.ts", 'import { a } from "./a.ts"'],
  ["an entry uses everything", "index.ts", 'export { a } from "./engine/a.ts"\nexport { b } from "./client/b.ts"'],
  ["a driver uses its package", "drivers/postgres-bus.ts", 'import pg from "pg"\nimport { once } from "node:events"'],
  ["schema uses types of ports", "schema/access.ts", 'import type { Session } from "../ports/session.ts"'],
  ["the command line migrates", "cli/commands/migrate.ts", 'import { migrate } from "../../engine/migrate.ts"'],
  [
    "an adapter uses the entry",
    "adapters/node.ts",
    'import { createApp } from "kit"\nimport type { App } from "../index.ts"',
  ],
  ["schema reads a date it was given", "schema/field.ts", "export const parse = (text: string) => new Date(text)"],
  ["the engine has its own Request", "engine/a.ts", 'import type { Request } from "./b.ts"\nexport type A = Request'],
  ["the engine has a property of that name", "engine/a.ts", "export interface A { Response: string }"],
  [
    "ports are types",
    "ports/a.ts",
    'import type { B } from "./b.ts"\nexport type { C } from "../wire/c.ts"\nexport interface A extends B {}\nexport type D = A',
  ],
]

test.each(allowed)("is allowed: %s", async (_name, path, text) => {
  const problems = await problemsOf("layers", { [`packages/kit/src/${path}`]: text })

  expect(problems).toEqual([])
})

const consoleImports: [name: string, text: string, problem: string | undefined][] = [
  ["its own files", 'import { a } from "./kit/a.ts"', undefined],
  ["a style sheet", 'import "./styles/index.css"', undefined],
  ["the client of kit", 'import { createClient } from "kit/client"', undefined],
  ["hooks of kit", 'import { useLive } from "kit/react"\nimport { useEndless } from "kit/react-infinite"', undefined],
  ["a package of the list", 'import { Button } from "react-aria-components/Button"', undefined],
  ["a module that its build makes", 'import icons from "virtual:icons"', undefined],
  ["packages of ProseMirror", 'import { Schema } from "prosemirror-model"', undefined],
  [
    "the server of kit",
    'import { defineConfig } from "kit"',
    "imports kit: of kit the console may import only kit/client, kit/crdt, kit/react, kit/react-infinite, kit/react-reads",
  ],
  [
    "services of kit, as a type",
    'import type { Service } from "kit/services"',
    "imports kit/services: of kit the console may import only kit/client, kit/crdt, kit/react, kit/react-infinite, kit/react-reads",
  ],
  [
    "the sources of kit",
    'import { a } from "../../kit/src/wire/a.ts"',
    "imports ../../kit/src/wire/a.ts: it is outside of packages/console/src",
  ],
  [
    "another package",
    'import { QueryClient } from "@tanstack/react-query"',
    "imports @tanstack/react-query: it is not in the list of packages in scripts/checks/console-imports.mjs",
  ],
  [
    "a module of Node, later",
    'export const load = () => import("node:fs")',
    "imports node:fs: it is not in the list of packages in scripts/checks/console-imports.mjs",
  ],
]

test.each(consoleImports)("the console imports %s", async (_name, text, problem) => {
  const problems = await problemsOf("layers", { "packages/console/src/main.tsx": text })

  expect(problems).toEqual(problem === undefined ? [] : [`packages/console/src/main.tsx:1 ${problem}`])
})
