import { relative } from "node:path"

/**
 * @typedef {{ readonly test: string, readonly message: string, readonly run: number }} Failure
 * @typedef {{ readonly fullName: string, readonly status: string, readonly failureMessages?: readonly string[] }} ReportedTest
 * @typedef {{
 *   readonly name: string, readonly status: string, readonly message?: string,
 *   readonly assertionResults: readonly ReportedTest[],
 * }} ReportedFile
 * @typedef {{ readonly code: number | null, readonly output: string, readonly report?: { readonly testResults: readonly ReportedFile[] } }} Run
 */

/**
 * Returns what failed in a run: its tests, the files that could not be run, or the run itself if no test of it failed.
 *
 * @param {Run} run
 * @param {number} number
 * @returns {readonly Failure[]}
 */
export function failuresIn({ code, output, report }, number) {
  const found = (report?.testResults ?? []).flatMap((file) => failuresOfFile(file, number))
  if (found.length > 0 || code === 0) return found
  return [{ test: "the run itself", message: `It ended with ${code}. ${output}`, run: number }]
}

/** @param {ReportedFile} file @param {number} run @returns {readonly Failure[]} */
function failuresOfFile({ name, status, message = "", assertionResults }, run) {
  const path = relative(process.cwd(), name)
  const failed = assertionResults.filter((test) => test.status === "failed")
  if (failed.length === 0 && status === "failed") return [{ test: path, message, run }]
  return failed.map(({ fullName, failureMessages = [] }) => {
    return { test: `${path} > ${fullName}`, message: failureMessages.join("\n"), run }
  })
}

/**
 * Returns the end of the output: each test that failed at least once, with the runs in which it did.
 *
 * @param {readonly Failure[]} failures
 * @param {number} times
 */
export function summaryOf(failures, times) {
  if (failures.length === 0) return `All tests passed in ${times === 1 ? "the run" : `all ${times} runs`}.`
  const tests = [...new Set(failures.map(({ test }) => test))]
  const lines = tests.map((test) => {
    const runs = failures.filter((failure) => failure.test === test).map(({ run }) => run)
    return `  ${test}: failed in ${runs.length} of ${times} runs (${runs.join(", ")})`
  })
  return [`${tests.length === 1 ? "One test" : `${tests.length} tests`} failed at least once:`, ...lines].join("\n")
}
