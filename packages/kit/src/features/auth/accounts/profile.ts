import type { IdentityRow } from "../../../ports/identity.ts"
import { IMAGE_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from "../../../schema/builders/users.ts"
import { findLineProblem, toOneLine } from "../../../schema/fields/one-line.ts"

/** Returns why a string cannot be the name of a user, or undefined if it can. */
export function findNameProblem(name: string): string | undefined {
  const text = name.trim()
  if (text === "") return "Required."
  return text.length > NAME_MAX_CHARACTERS ? tooLong(NAME_MAX_CHARACTERS) : findLineProblem(text)
}

/**
 * Returns why a string cannot be the image of a user, or undefined if it can. The string must be a URL or a URL path,
 * from which pages load the image.
 */
export function findImageProblem(image: string): string | undefined {
  const isPath = /^\/(?![/\\])/.test(image)
  const isWeb = URL.canParse(image) && /^https?:$/.test(new URL(image).protocol)
  if (!isPath && !isWeb) return "Expected a URL such as https://example.com/eva.png, or a path such as /eva.png."
  return image.length > IMAGE_MAX_CHARACTERS ? tooLong(IMAGE_MAX_CHARACTERS) : findLineProblem(image)
}

function tooLong(max: number): string {
  return `Must have at most ${max} characters.`
}

/**
 * Shortens or removes the values of a sign-in provider's profile that exceed our limits. Users cannot change the
 * profile that their provider sends, so these values are no reason to reject a sign-in. Input to our own routes has
 * been checked before, so it always fits.
 */
export function fitProfile(user: IdentityRow): IdentityRow {
  const { name, image } = user
  return {
    ...user,
    ...(typeof name === "string" && { name: shorten(toOneLine(name)) }),
    ...(typeof image === "string" && findImageProblem(image) !== undefined && { image: null }),
  }
}

// Shortens a name to the maximum length, without cutting a surrogate pair in half.
function shorten(name: string): string {
  const cut = name.slice(0, NAME_MAX_CHARACTERS)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
