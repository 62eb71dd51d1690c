import { types } from "node:util"
import { isObject } from "../wire/codecs/is-object.ts"
import { didYouMean } from "../wire/errors/did-you-mean.ts"
import type { TestAppOptions } from "./declared-app.ts"

interface Shape {
  readonly fits: (value: unknown) => boolean
  readonly text: string
}

const LIST: Shape = { fits: Array.isArray, text: "a list" }
const BY_NAME: Shape = { fits: (value) => isObject(value) && !Array.isArray(value), text: "an object" }

const SHAPES: Readonly<Record<keyof TestAppOptions, Shape>> = {
  root: { fits: (value) => typeof value === "string", text: "the path of a folder" },
  collections: LIST,
  globals: LIST,
  routes: BY_NAME,
  jobs: BY_NAME,
  channels: BY_NAME,
  services: BY_NAME,
  emails: BY_NAME,
  config: BY_NAME,
  mode: { fits: isMode, text: '"development", "production" or "local"' },
  now: { fits: isMoment, text: "a Date or a function that gives one" },
}

/** Throws on an option that does not exist or has the wrong type, so that a misspelled option is not ignored. */
export function checkOptions(options: TestAppOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name)) throw new TypeError(`testApp has no option "${name}".${didYouMean(name, Object.keys(SHAPES))}`)
    const { fits, text } = SHAPES[name]
    if (value !== undefined && !fits(value)) throw new TypeError(`The option "${name}" of testApp must be ${text}.`)
  }
}

function isOption(name: string): name is keyof TestAppOptions {
  return Object.hasOwn(SHAPES, name)
}

function isMode(value: unknown): boolean {
  return value === "development" || value === "production" || value === "local"
}

function isMoment(value: unknown): boolean {
  // Not instanceof: a test runner may run each test in its own realm, with a different Date.
  return typeof value === "function" || (types.isDate(value) && !Number.isNaN(value.getTime()))
}
