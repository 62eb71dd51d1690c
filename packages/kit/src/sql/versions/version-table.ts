import { quote } from "../text/fragment.ts"

export const VERSIONS_TABLE = quote("_kit_versions")

/**
 * The table of the versions of all records. A record is identified by its id and its table name, which is updated when
 * the table is renamed.
 */
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

/**
 * The key under which a version of a stage copy stores its stage. It cannot collide with a field, because field names
 * cannot begin with an underscore.
 */
export const STAGE_KEY = "_stage"

/** The key under which a version stores its authors, if they are more than the user of the write. */
export const AUTHORS_KEY = "_authors"

/**
 * Returns the SQL condition that a version is the current content of a stage: the newest version that was stored by a
 * transition to the stage or by a write to the stage copy.
 */
export function isNewestOfStage(alias: string): string {
  const isSame = `_newer."table" = ${alias}."table" and _newer.record = ${alias}.record and ${stageOf("_newer")} = ${stageOf(alias)}`
  const isNewer = `${isStageVersion("_newer")} and _newer.number > ${alias}.number`
  return `(${isStageVersion(alias)} and not exists (select from ${VERSIONS_TABLE} _newer where ${isSame} and ${isNewer}))`
}

/**
 * Returns the SQL condition that a version is a state of the copy in a stage: it was stored by a transition to the stage
 * or by a write to the stage copy. `stage` is the placeholder of the stage.
 */
export function isOfStage(alias: string, stage: string): string {
  return `(${isStageVersion(alias)} and ${stageOf(alias)} = to_jsonb(${stage}::text))`
}

/** Returns the SQL condition that a version is a state of the working copy. */
export function isOfWorkingCopy(alias: string): string {
  return `not (${alias}.data ? '${STAGE_KEY}')`
}

function isStageVersion(alias: string): string {
  return `(${alias}.operation = 'transition' or ${alias}.data ? '${STAGE_KEY}')`
}

function stageOf(alias: string): string {
  return `coalesce(${alias}.data->'${STAGE_KEY}', ${alias}.data->'stage')`
}

export const PREPARE_VERSIONS: readonly string[] = [CREATE_VERSIONS]
