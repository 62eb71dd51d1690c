import { quote } from "./fragment.ts"

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

/** Whether a version is what a stage shows, or has shown. */
export function isShownInStage(alias: string): string {
  return `(${alias}.operation = 'transition' or ${alias}.data ? '${STAGE_KEY}')`
}

export const PREPARE_VERSIONS: readonly string[] = [CREATE_VERSIONS]
