import type { Command, Option } from "./command.ts"

const PORT: Option = { type: "string", value: "<port>", purpose: "where to listen; PORT or 3000 unless set" }
const HOST: Option = {
  type: "string",
  value: "<host>",
  purpose: "the address to listen on; HOST or localhost unless set",
}
const JSON_OUTPUT: Option = { type: "boolean", purpose: "print JSON, and nothing else on standard output" }
const SCHEMA: Option = {
  type: "string",
  value: "<names>",
  purpose: "only these schemas, with commas between them; all unless set",
}

/** The purposes of the commands that have subcommands, as the help shows them. */
export const GROUPS: Readonly<Record<string, string>> = {
  migrate: "show, write and apply changes of the tables",
  jobs: "look at stored jobs, run them again, remove them",
  search: "look at the search indexes, rebuild them",
  user: "create and list the users who can sign in",
  db: "find the database, look into it, back it up, restore it, copy it into another PostgreSQL",
}

/** Every command by its name, in the order in which the help lists them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  new: {
    parameters: "<folder>",
    purpose: "make an app in a new folder, with everything it needs",
    options: {
      template: { type: "string", value: "<name>", purpose: "minimal, react or newsroom; minimal unless set" },
      "no-install": { type: "boolean", purpose: "write the files, and leave npm install to you" },
    },
    examples: ["kit new blog", "kit new todo --template react"],
    isOutsideApp: true,
    load: async () => (await import("./commands/new.ts")).createFolder,
  },
  dev: {
    purpose: "serve the app, write its types, seed it, and restart it when a file changes",
    options: { port: PORT, host: HOST },
    examples: ["kit dev", "kit dev --port 4000"],
    load: async () => (await import("./commands/dev.ts")).dev,
  },
  build: {
    purpose: "check the app and bundle its files into dist, for kit start and the other commands",
    examples: ["kit build && NODE_ENV=production kit start"],
    load: async () => (await import("./commands/build.ts")).build,
  },
  start: {
    purpose: "serve the app: its build if that is up to date, otherwise its sources",
    options: {
      port: PORT,
      host: HOST,
      seed: { type: "boolean", purpose: "run the seeds that the database has not had yet" },
      generate: { type: "boolean", purpose: "write the types first, as kit generate does" },
      sync: { type: "boolean", purpose: "change the tables by comparing, even if there are migrations" },
      development: { type: "boolean", purpose: "serve the sources, and trust pages on this machine, as kit dev does" },
      json: { type: "boolean", purpose: "print one line of JSON when it is ready: url, port, database" },
    },
    examples: ["kit start --seed", "NODE_ENV=production kit start --host 0.0.0.0 --port 8080"],
    isServing: true,
    load: async () => (await import("./commands/start.ts")).start,
  },
  worker: {
    purpose: "run the app's jobs, without serving it",
    examples: ["kit worker"],
    isServing: true,
    load: async () => (await import("./commands/worker.ts")).worker,
  },
  generate: {
    purpose: "write the app's types into src/generated",
    options: {
      check: { type: "boolean", purpose: "write nothing; fail if the types are out of date" },
      json: JSON_OUTPUT,
    },
    examples: ["kit generate", "kit generate --check"],
    load: async () => (await import("./commands/generate.ts")).generate,
  },
  openapi: {
    purpose: "print the OpenAPI document of the whole app, for clients in other languages",
    options: { out: { type: "string", value: "<file>", purpose: "write it into this file instead" } },
    examples: ["kit openapi --out openapi.json"],
    load: async () => (await import("./commands/openapi.ts")).openapi,
  },
  "migrate plan": {
    purpose: "show what has changed since the last migration, and what would be lost",
    options: { json: JSON_OUTPUT },
    examples: ["kit migrate plan"],
    load: async () => (await import("./commands/migrate.ts")).plan,
  },
  "migrate create": {
    parameters: "[name]",
    purpose: "write the next migration into src/migrations",
    options: {
      "accept-data-loss": { type: "boolean", purpose: "also write steps that drop columns or tables with data" },
      empty: { type: "boolean", purpose: "write a migration without changes, for SQL of your own" },
    },
    examples: ["kit migrate create add_tags", "kit migrate create --empty fill_slugs"],
    load: async () => (await import("./commands/migrate.ts")).create,
  },
  "migrate up": {
    purpose: "apply the migrations that the database has not had yet",
    options: {
      "skip-added-sql": {
        type: "boolean",
        purpose: "where a sync has made a migration's changes, do not run the SQL added to its file",
      },
    },
    examples: ["kit migrate up"],
    load: async () => (await import("./commands/migrate.ts")).up,
  },
  "migrate status": {
    purpose: "show which migrations have been applied, and when",
    options: { json: JSON_OUTPUT },
    examples: ["kit migrate status --json"],
    load: async () => (await import("./commands/migrate.ts")).status,
  },
  seed: {
    purpose: "run the seeds that the database has not had yet",
    examples: ["kit seed"],
    load: async () => (await import("./commands/seed.ts")).seed,
  },
  "jobs list": {
    purpose: "show the stored jobs, the newest first",
    options: {
      state: { type: "string", value: "<state>", purpose: "only those that are scheduled, waiting, running or failed" },
      name: { type: "string", value: "<name>", purpose: "only those of this job" },
      limit: { type: "string", value: "<number>", purpose: "how many, up to 1000; 50 unless set" },
      json: { type: "boolean", purpose: "print each job as a line of JSON, and nothing else on standard output" },
    },
    examples: ["kit jobs list --state failed", "kit jobs list --json | jq .payload"],
    load: async () => (await import("./commands/jobs.ts")).list,
  },
  "jobs show": {
    parameters: "<id>",
    purpose: "show everything about a job, with its payload and error",
    options: { json: JSON_OUTPUT },
    examples: ["kit jobs show 01890000-0000-7000-8000-000000000000"],
    load: async () => (await import("./commands/jobs.ts")).show,
  },
  "jobs retry": {
    parameters: "<id>",
    purpose: "retry a failed job with all its attempts, or run a scheduled one now",
    examples: ["kit jobs retry 01890000-0000-7000-8000-000000000000"],
    load: async () => (await import("./commands/jobs.ts")).retry,
  },
  "jobs cancel": {
    parameters: "<id>",
    purpose: "remove a job, whatever its state",
    examples: ["kit jobs cancel 01890000-0000-7000-8000-000000000000"],
    load: async () => (await import("./commands/jobs.ts")).cancel,
  },
  "search status": {
    purpose: "show how far the search index of each collection is built",
    options: { json: JSON_OUTPUT },
    examples: ["kit search status"],
    load: async () => (await import("./commands/search.ts")).status,
  },
  "search reindex": {
    parameters: "[collection]",
    purpose: "rebuild the search index of a collection, or of all, while the app may run",
    examples: ["kit search reindex", "kit search reindex articles"],
    load: async () => (await import("./commands/search.ts")).reindex,
  },
  "user create": {
    purpose: "create a user who can sign in",
    options: {
      email: { type: "string", value: "<address>", isRequired: true, purpose: "the address to sign in with" },
      name: { type: "string", value: "<name>", isRequired: true, purpose: "the name of the user" },
      password: { type: "string", value: "<password>", purpose: "generated and shown once unless set" },
      role: { type: "string", value: "<role>", purpose: "the role that your rules check" },
      admin: { type: "boolean", purpose: "the same as --role admin" },
    },
    examples: ["kit user create --email eva@example.com --name Eva --admin"],
    load: async () => (await import("./commands/user.ts")).create,
  },
  "user list": {
    purpose: "list who can sign in",
    options: {
      json: { type: "boolean", purpose: "print each user as a line of JSON, and nothing else on standard output" },
    },
    examples: ["kit user list"],
    load: async () => (await import("./commands/user.ts")).list,
  },
  "db url": {
    purpose: "print the address of the app's database, its password included",
    options: {
      wait: { type: "boolean", purpose: "keep an embedded database running until Ctrl-C" },
      json: JSON_OUTPUT,
    },
    examples: ["psql $(kit db url)", "kit db url --wait"],
    load: async () => (await import("./commands/db.ts")).url,
  },
  "db status": {
    purpose: "show where the database is, its version and size, and the rows of each table",
    options: { json: JSON_OUTPUT },
    examples: ["kit db status"],
    load: async () => (await import("./commands/db.ts")).status,
  },
  "db move": {
    parameters: "<url>",
    purpose: "copy the whole database into another PostgreSQL, and compare the two",
    options: {
      schema: SCHEMA,
      "allow-others": {
        type: "boolean",
        purpose: "copy although others are connected; what they write meanwhile is not copied",
      },
      json: JSON_OUTPUT,
    },
    examples: ["kit db move postgres://user:password@host:5432/name"],
    load: async () => (await import("./commands/db.ts")).copyDatabase,
  },
  "db dump": {
    parameters: "<file>",
    purpose: "write the whole database and the uploaded files into one file, while the app may run",
    options: {
      schema: SCHEMA,
      json: JSON_OUTPUT,
    },
    examples: ["kit db dump backup.kit"],
    load: async () => (await import("./commands/db-dump.ts")).dump,
  },
  "db restore": {
    parameters: "<file>",
    purpose: "restore a file of kit db dump into an empty database, all of it or nothing",
    options: {
      replace: { type: "boolean", purpose: "delete the present data and files first" },
      yes: { type: "boolean", purpose: "allow --replace in production, and on another machine" },
      json: JSON_OUTPUT,
    },
    examples: ["kit db restore backup.kit", "kit db restore backup.kit --replace"],
    load: async () => (await import("./commands/db-restore.ts")).restore,
  },
  "db reset": {
    purpose: "delete all data and files, create the tables again and run the seeds; not in production",
    options: { yes: { type: "boolean", purpose: "also if the database is on another machine" } },
    examples: ["kit db reset"],
    load: async () => (await import("./commands/db-reset.ts")).reset,
  },
  doctor: {
    purpose: "look for mistakes and unfinished settings, and say how to fix them",
    options: {
      production: { type: "boolean", purpose: "check as if NODE_ENV were production" },
      json: JSON_OUTPUT,
    },
    examples: ["kit doctor", "kit doctor --production"],
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
}
