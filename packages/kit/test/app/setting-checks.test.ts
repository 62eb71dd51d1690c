import { expect, test } from "vitest"
import type { KitConfig } from "../../src/app/config/config.ts"
import { checkOpenApi } from "../../src/app/doctor/setting-checks.ts"

const isAdmin = () => true

test.each<[KitConfig, boolean, string, RegExp]>([
  [{}, false, "ok", /^served to anyone$/],
  [{}, true, "ok", /^served to callers who have signed in$/],
  [{ openapi: true, developer: isAdmin }, true, "ok", /^served to anyone$/],
  [{ openapi: false, developer: true }, true, "ok", /nobody/],
  [{ developer: true }, false, "ok", /production needs a rule$/],
  [{ developer: true }, true, "warn", /^developer is true: anyone may read the document of the whole app/],
])("the settings %j, in production %j: %s", (config, isProduction, status, message) => {
  const findings = checkOpenApi({ root: "", config, isProduction, compiled: undefined })

  expect(findings).toEqual([expect.objectContaining({ status, message: expect.stringMatching(message) })])
})
