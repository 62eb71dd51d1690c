import type { FieldType } from "../compile/field-type.ts"
import type { ResourceField, ResourceVersions } from "../compile/resource.ts"
import { datetimeType } from "../fields/datetime.ts"
import { fieldSet } from "../fields/field-set.ts"
import { idType } from "../fields/relation.ts"

/** The limits of each record's version history. */
export interface VersionsOptions {
  /** The number of versions that are kept for each record, the newest ones; 100 unless set. */
  readonly max?: number
}

const DEFAULT_MAX_VERSIONS = 100
const MAX_VERSIONS = 1_000_000

/** Returns the mistakes in the option `versions`, as sentences for the author. */
export function checkVersionsOption(value: unknown): string[] {
  if (value === undefined || typeof value === "boolean") return []
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  if (!isObject) return ['the option "versions" must be true, false or an object such as { max: 50 }.']
  const { max, ...rest } = value as Record<string, unknown>
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) return [`the option "versions" has no "${unknown}". It takes { max: 50 }.`]
  const isCount = max === undefined || (Number.isInteger(max) && Number(max) >= 1 && Number(max) <= MAX_VERSIONS)
  return isCount ? [] : [`the option "versions" has a "max" that is not a whole number from 1 to ${MAX_VERSIONS}.`]
}

/** Compiles the option `versions` into the fields that store versions and describe them in responses. */
export function compileVersions(
  option: boolean | VersionsOptions,
  { hasStages, hasDocuments }: VersionedRecords,
  make: MakeField,
): ResourceVersions {
  const { max = DEFAULT_MAX_VERSIONS } = typeof option === "object" ? option : {}
  return Object.freeze({
    max,
    // The name starts with an underscore, so no field of the author can have it. The field is hidden from all
    // responses. It is optional, because rows that were written before versions were turned on have no version.
    number: Object.freeze({ ...make("_version", numberType), hidden: true, required: false }),
    user: Object.freeze({ ...make("_versionUser", textType), hidden: true, required: false }),
    answerFields: Object.freeze([
      make("versionId", idType),
      make("versionNumber", numberType),
      make("versionOperation", textType),
      make("versionUserId", textType),
      make("versionCreatedAt", datetimeType),
      ...(hasStages ? [make("versionStage", textType)] : []),
      ...(hasDocuments ? [make("versionAuthors", textListType)] : []),
    ]),
  })
}

interface VersionedRecords {
  readonly hasStages: boolean
  /** True if fields are edited in shared documents, so that a version can have several authors. */
  readonly hasDocuments: boolean
}

type MakeField = (name: string, type: FieldType) => ResourceField

const numberType = Object.freeze(fieldSet.number().integer().compile())
const textType = Object.freeze(fieldSet.text().compile())
const textListType = Object.freeze(fieldSet.array(fieldSet.text()).compile())
