/**
 * Ends the output of a test run with one plain line, "12 passed, 0 failed". A file or hook that fails, and an error
 * outside of any test, count as failures.
 */
export default class CountReporter {
  /**
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const states = modules.flatMap((module) => Array.from(module.children.allTests(), (test) => test.result().state))
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    const passed = states.filter((state) => state === "passed").length
    const failedTests = states.filter((state) => state === "failed").length
    const broken = suites.filter((suite) => suite.errors().length > 0).length
    console.log(`${passed} passed, ${failedTests + broken + unhandledErrors.length} failed`)
  }
}
