import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The tests about what the engine does, which are run once more with its shortcuts off (KIT_GENERAL_PATH) and once more with
// one connection (KIT_TEST_POOL). A new test is part of both. Each list names tests that would do the same again.

// They start processes of their own, are about what stands in front of the engine, or have nothing to do with its requests.
const NOT_ABOUT_THE_ENGINE = [
  "packages/**",
  "examples/**",
  "test/{bench,cli,database,docs,experiments,introspection,migrations,openapi,search-adapter,signals}/**",
  "test/attacks/{connections,guessing,hosts,identity,mail,parsers,redirects}.test.ts",
  "test/channels/channels-processes.test.ts",
  "test/handlers/{author-mistakes,author-stacks,mail-preview,route-mistakes,smtp}.test.ts",
  "test/http/{cors,front-page,log-redaction,request-log,server-stop,web-folder-start,web-pages}.test.ts",
  "test/identity/{lazy-identity,password-semaphore,quiet-sign-up,secure-cookies}.test.ts",
  "test/live/live-{costs,shared-costs,silence}.test.ts",
  "test/{ids,locales,stages,versions}/*-{migrate,schema}.test.ts",
  "test/tenants/double-booking.test.ts",
  "test/search/{copied-index,index-tables,long-texts,misspelled-titles,reindex,search-command,vocabulary}.test.ts",
]

// The shortcuts are about reads that Postgres writes as JSON, writes and deletes in one statement, searches by the stored index
// alone, and sessions that kit reads itself. The tests at the end compare both ways themselves, in any run, or measure a shortcut.
const NOT_ABOUT_SHORTCUTS = [
  "test/{channels,jobs}/**",
  "test/handlers/{app-stop,email,kv-*,unawaited-failures}.test.ts",
  "test/http/{protection,rate-limits}.test.ts",
  "test/attacks/{jobs,resets}.test.ts",
  "test/stages/transition-jobs.test.ts",
  "test/live/live-{fairness,hostile,relay,stop,strangers}.test.ts",
  "test/uploads/uploads-{crash,hostile}.test.ts",
  "test/search/semantic-vectors.test.ts",
  "test/access/{field-rules,rules-back}-oracle.test.ts",
  "test/identity/session-reader.test.ts",
  "test/reads/{filters-cost,json-path}.test.ts",
  "test/search-words/{hostile-highlights,search-paths}.test.ts",
  "test/writes/general-path.test.ts",
]

// With one connection, whatever asks for a second one while it holds the first never ends: in transactions, hooks, rules,
// handlers, live queries, uploads and identity. A search, or a filter, is one statement. A seed that stores a file needs two:
// the file must be known although the seed may still fail. The tests at the end start their apps without the setting.
const NOT_ABOUT_CONNECTIONS = [
  "test/search-words/**",
  "test/uploads/uploads-seeds.test.ts",
  "test/access/hidden-worlds.test.ts",
  "test/attacks/{hidden-names,injection,named-in-messages,step-two}.test.ts",
  "test/reads/{answer-limits,equal-ids,filter*,groups,json-path,list-filters,paging,predicate-in-memory,refused-filters}.test.ts",
  "test/reads/{relation-filters,where-oracle}.test.ts",
  "test/search/{facets,index-oracle,search-rights,semantic-rights,semantic-vectors,several-collections}.test.ts",
  "test/writes/{general-path,odd-names}.test.ts",
  "test/interface/**",
  "test/attacks/jobs.test.ts",
  "test/handlers/email.test.ts",
  "test/jobs/jobs-*.test.ts",
  "test/search/content.test.ts",
  "test/stages/{pending-transitions,transition-jobs}.test.ts",
  "test/versions/history-oracle.test.ts",
]

const notAboutTheFlag = process.env["KIT_TEST_POOL"] ? NOT_ABOUT_CONNECTIONS : NOT_ABOUT_SHORTCUTS

export default defineConfig({
  ...base,
  test: { ...base.test, include: ["test/*/*.test.ts"], exclude: [...NOT_ABOUT_THE_ENGINE, ...notAboutTheFlag] },
})
