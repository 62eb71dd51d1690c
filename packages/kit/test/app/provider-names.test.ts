import { socialProviders } from "better-auth/social-providers"
import { expect, test } from "vitest"
import { PROVIDER_NAMES } from "../../src/app/config/provider-names.ts"

test("the providers of the settings are those of the library", () => {
  expect(PROVIDER_NAMES).toEqual(Object.keys(socialProviders).sort())
})
