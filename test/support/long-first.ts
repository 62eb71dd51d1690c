import { BaseSequencer, type TestSpecification } from "vitest/node"

// These files take the longest, and mostly wait. They are small, so vitest would start them last, and they would end
// alone.
const LONG = [
  ...["promises", "live-silence", "live-oracle", "documents-hostile", "hostile-", "hidden-", "lost-text", "rules-back"],
  ...["command-line", "db-", "embedded-", "jobs-", "migrate", "stages-migrate", "large-"],
]
const LONG_FILE = new RegExp(`/(${LONG.join("|")})[\\w-]*\\.test\\.ts$`)

/** The order in which the files of a run start. The durations of earlier runs are lost after every install. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG_FILE.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
