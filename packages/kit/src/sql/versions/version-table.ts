import { quote } from "../text/fragment.ts"

export const VERSIONS_TABLE = quote("_kit_versions")

/** The versions of all records. A record is identified by its table, which a rename updates, and its id. */
const CREATE_VERSIONS = `create table if not exists ${VERSIONS_TABLE} (
  id uuid primary key default gen_random_uuid(),
  "table" text not null,
  record text not null,
  number integer not null,
  operation text not null,
  user_id text,
  created_at timestamptz(3) not null,
  data jsonb not null,
  unique ("table", record, number)
)`

/** The key of the stage in the data of a version of a stage copy. Field names cannot begin with an underscore. */
export const STAGE_KEY = "_stage"

/** True if a version is what a stage currently holds: the newest of a transition to it or of a write to its copy. */
export function isNewestOfStage(alias: string): string {
  const isSame = `_newer."table" = ${alias}."table" and _newer.record = ${alias}.record and ${stageOf("_newer")} = ${stageOf(alias)}`
  const isNewer = `${isStageVersion("_newer")} and _newer.number > ${alias}.number`
  return `(${isStageVersion(alias)} and not exists (select from ${VERSIONS_TABLE} _newer where ${isSame} and ${isNewer}))`
}

function isStageVersion(alias: string): string {
  return `(${alias}.operation = 'transition' or ${alias}.data ? '${STAGE_KEY}')`
}

function stageOf(alias: string): string {
  return `coalesce(${alias}.data->'${STAGE_KEY}', ${alias}.data->'stage')`
}

export const PREPARE_VERSIONS: readonly string[] = [CREATE_VERSIONS]
