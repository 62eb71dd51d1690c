import { BaseSequencer, type TestSpecification } from "vitest/node"

// The files that take the longest, the longest first. Many are small, so vitest would start them last, and they would
// end alone.
const LONG = [
  "hidden-worlds-oracle",
  "fair",
  "json-schema-oracle",
  "bench/documents",
  "promises",
  "db-",
  "embedded-",
  "rolling-",
  "password-semaphore",
  "postgres-silence",
  "attacks/identity",
  "npm-signals",
  "channels-processes",
  "command-line",
  "nested-access",
  "documents-hostile",
  "live-fairness",
  "live-session",
  "live-oracle",
  "live-silence",
  "hostile-",
  "hidden-",
  "lost-text",
  "rules-back",
  "jobs-",
  "migrate",
  "stages-migrate",
  "large-",
].map((name) => new RegExp(`/${name}[\\w-]*\\.test\\.ts$`))

/** The order in which the files of a run start. The durations of earlier runs are lost after every install. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG.findIndex((pattern) => pattern.test(moduleId))
  return rank < 0 ? LONG.length : rank
}
