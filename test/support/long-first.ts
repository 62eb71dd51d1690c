import { BaseSequencer, type TestSpecification } from "vitest/node"

// They take the longest, and wait for most of it. Their files are small, so they would be begun last, and end alone.
const LONG =
  /\/(promises|live-silence|live-oracle|command-line|jobs-|migrate|stages-migrate|large-app)[\w-]*\.test\.ts$/

/** The order in which the files of a run are begun. What is known of earlier runs is gone after every install. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
