import { quote } from "../text/fragment.ts"

export const VERSIONS_TABLE = quote("_kit_versions")

/** The versions of all records. A record is named by the table it is in, which follows it when it is renamed. */
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

/** In the data of a version that was written in a stage: which one. No field of an author's has such a name. */
export const STAGE_KEY = "_stage"

/** Whether a version is what a stage shows: the newest that moved the record there, or that changed the copy there. */
export function isNewestOfStage(alias: string): string {
  const isSame = `_newer."table" = ${alias}."table" and _newer.record = ${alias}.record and ${stageShownBy("_newer")} = ${stageShownBy(alias)}`
  const isNewer = `${isShownInStage("_newer")} and _newer.number > ${alias}.number`
  return `(${isShownInStage(alias)} and not exists (select from ${VERSIONS_TABLE} _newer where ${isSame} and ${isNewer}))`
}

function isShownInStage(alias: string): string {
  return `(${alias}.operation = 'transition' or ${alias}.data ? '${STAGE_KEY}')`
}

function stageShownBy(alias: string): string {
  return `coalesce(${alias}.data->'${STAGE_KEY}', ${alias}.data->'stage')`
}

export const PREPARE_VERSIONS: readonly string[] = [CREATE_VERSIONS]
