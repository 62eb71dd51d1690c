import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { ResourceDefinition } from "../builders/definition.ts"
import { FILE_FIELDS, FORM_PARTS, type UploadOptions, VISIBILITIES } from "../builders/upload-options.ts"
import { FILE_TYPES, isUnknownPattern } from "./file-types.ts"

const OPTION_NAMES = ["maxSize", "types", "visibility"]
const FILE_RULES = ["upload", "serve"]

/** Returns the mistakes in a collection's upload options, as sentences for the author. */
export function checkUpload({
  kind,
  identity,
  fields,
  access,
  options,
  upload,
}: ResourceDefinition): readonly string[] {
  if (upload === undefined) return checkFileRules(access)
  if (kind === "global") return ["a global has no files of its own. Use .upload() on a collection."]
  if (identity)
    return ['users have no files of their own. Use a collection, and a field such as avatar: f.upload("media").']
  if (options.id === "client") return ['the server generates the ids of files. Remove the option "id".']
  if (typeof upload !== "object" || upload === null)
    return ['.upload() takes an object, such as .upload({ types: ["image/*"] }).']
  return [
    ...checkFieldNames(fields),
    ...checkOptionNames(upload),
    ...checkSize(upload),
    ...checkTypes(upload),
    ...checkVisibility(upload),
  ]
}

function checkFileRules(access: ResourceDefinition["access"]): string[] {
  const named = FILE_RULES.filter((name) => Object.hasOwn(access, name))
  return named.map((name) => `has an access rule "${name}", but no files. Add .upload({ … }), or remove the rule.`)
}

function checkFieldNames(fields: ResourceDefinition["fields"]): string[] {
  return Object.keys(fields).flatMap((name) => {
    if (FILE_FIELDS.includes(name))
      return [`field "${name}": the server stores a field of this name for each uploaded file. Choose another name.`]
    const isPart = FORM_PARTS.includes(name)
    return isPart ? [`field "${name}": an upload sends something else under that name. Choose another.`] : []
  })
}

function checkOptionNames(upload: UploadOptions): string[] {
  const unknown = Object.keys(upload).filter((name) => !OPTION_NAMES.includes(name))
  return unknown.map((name) => `.upload() has no option "${name}".${didYouMean(name, OPTION_NAMES)}`)
}

function checkSize({ maxSize }: UploadOptions): string[] {
  if (maxSize === undefined || (Number.isSafeInteger(maxSize) && maxSize >= 1)) return []
  return [`.upload() has the maxSize ${maxSize}. Give a number of bytes, such as 20 * 1024 * 1024.`]
}

function checkTypes({ types }: UploadOptions): string[] {
  if (types === undefined) return []
  if (!Array.isArray(types) || types.length === 0)
    return ['.upload() has types that are not a list, or an empty list. Write types: ["image/*"].']
  const known = Object.keys(FILE_TYPES)
  const unknown = types.filter((type) => typeof type !== "string" || isUnknownPattern(type))
  return unknown.map(
    (type) =>
      `.upload() takes the type "${type}", which is never detected in a file.${didYouMean(String(type), known)} Known: ${known.join(", ")}, and patterns such as "image/*".`,
  )
}

function checkVisibility({ visibility = "public" }: UploadOptions): string[] {
  if (VISIBILITIES.includes(visibility)) return []
  return [`.upload() has the visibility "${visibility}". Use one of ${VISIBILITIES.join(", ")}.`]
}
