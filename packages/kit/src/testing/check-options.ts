import { types } from "node:util"
import { isObject } from "../wire/codecs/is-object.ts"
import { didYouMean } from "../wire/errors/did-you-mean.ts"
import type { TestAppOptions } from "./declared-app.ts"

interface OptionCheck {
  readonly isValid: (value: unknown) => boolean
  readonly expectation: string
}

const LIST: OptionCheck = { isValid: Array.isArray, expectation: "a list" }
const BY_NAME: OptionCheck = { isValid: (value) => isObject(value) && !Array.isArray(value), expectation: "an object" }

const SHAPES: Readonly<Record<keyof TestAppOptions, OptionCheck>> = {
  root: { isValid: (value) => typeof value === "string", expectation: "the path of a folder" },
  collections: LIST,
  globals: LIST,
  routes: BY_NAME,
  jobs: BY_NAME,
  channels: BY_NAME,
  services: BY_NAME,
  emails: BY_NAME,
  config: BY_NAME,
  mode: { isValid: isMode, expectation: '"development", "production" or "local"' },
  now: { isValid: isStartTime, expectation: "a Date or a function that gives one" },
}

/** Throws on a testApp option that does not exist or has the wrong type, so that a misspelled option is not ignored. */
export function checkOptions(options: TestAppOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name)) throw new TypeError(`testApp has no option "${name}".${didYouMean(name, Object.keys(SHAPES))}`)
    const { isValid, expectation } = SHAPES[name]
    if (value !== undefined && !isValid(value))
      throw new TypeError(`The option "${name}" of testApp must be ${expectation}.`)
  }
}

function isOption(name: string): name is keyof TestAppOptions {
  return Object.hasOwn(SHAPES, name)
}

function isMode(value: unknown): boolean {
  return value === "development" || value === "production" || value === "local"
}

function isStartTime(value: unknown): boolean {
  // `instanceof Date` would be wrong here: a test runner may run each test in its own realm, which has another Date.
  return typeof value === "function" || (types.isDate(value) && !Number.isNaN(value.getTime()))
}
