import type { Statement } from "../../ports/database.ts"
import { quote } from "../text/fragment.ts"
import { createOwnIndex } from "../text/own-index.ts"

/** How vectors are stored: as bytes (32-bit floats, little-endian), or in a column of the extension pgvector. */
export type VectorStorage = "bytes" | "pgvector"

const VECTORS_NAME = "_kit_search_vectors"

/**
 * The table of the vectors, which are found by the model that has made them and by the key of their text. Records with
 * equal texts share a vector, and a record whose text has changed finds no outdated one.
 */
export const VECTORS = quote(VECTORS_NAME)

const MODELS = quote("_kit_search_models")

/** Returns how the existing table stores vectors, as the name of a column type; no row if there is no table. */
export const FIND_VECTOR_TYPE: Statement = {
  text: `select format_type(atttypid, null) from pg_attribute
    where attrelid = to_regclass('${VECTORS}') and attname = 'vector'`,
  values: [],
}

/** The type that `FIND_VECTOR_TYPE` returns for vectors that are stored as bytes. */
export const BYTES_TYPE = "bytea"

/**
 * Creates the extension pgvector if the server has it and allows it. A refusal is no error, because vectors can be
 * stored without it.
 */
export const CREATE_VECTOR_EXTENSION = `do $$ begin
  if exists (select from pg_available_extensions where name = 'vector') then
    create extension if not exists vector;
  end if;
exception when others then null;
end $$`

/** True if the extension's type can be used. An extension in a schema that is not searched does not count. */
export const HAS_VECTOR_EXTENSION: Statement = { text: "select to_regtype('vector') is not null", values: [] }

/** `xid` is the transaction that stored the vector. Readers use it to find the vectors that are new to them. */
export function createVectors(storage: VectorStorage): string {
  return [
    `create table if not exists ${VECTORS} (
  model text not null,
  key uuid not null,
  vector ${storage === "pgvector" ? "vector" : BYTES_TYPE} not null,
  xid xid8 not null default pg_current_xact_id(),
  unused_at timestamptz,
  primary key (model, key)
)`,
    createOwnIndex("_kit_search_vectors.xid", `${VECTORS} (model, xid)`),
    createOwnIndex("_kit_search_vectors.unused", `${VECTORS} (unused_at) where unused_at is not null`),
    `create table if not exists ${MODELS} (
  model text primary key,
  used_at timestamptz not null
)`,
  ].join(";\n")
}

/**
 * Records that the app uses this model. Returns a row if the model is new, so that no text has been embedded by it yet.
 */
export function useModel(model: string): Statement {
  return {
    text: `insert into ${MODELS} (model, used_at) values ($1, statement_timestamp())
      on conflict (model) do update set used_at = excluded.used_at returning xmax = 0`,
    values: [model],
  }
}

export interface StoredVector {
  /** The key of the text that the vector stands for. */
  readonly key: string
  readonly vector: Float32Array
}

/** Stores vectors. A vector that another process has stored in the meantime is kept. */
export function storeVectors(storage: VectorStorage, model: string, vectors: readonly StoredVector[]): Statement {
  const values = vectors.map(({ vector }) => (storage === "pgvector" ? vectorText(vector) : vectorBytes(vector)))
  const column = storage === "pgvector" ? "unnest($3::text[])::vector" : `unnest($3::${BYTES_TYPE}[])`
  return {
    text: `insert into ${VECTORS} (model, key, vector) select $1, unnest($2::uuid[]), ${column} on conflict do nothing`,
    values: [model, vectors.map(({ key }) => key), values],
  }
}

/** Returns the vector as the text that the extension reads, such as `[0.5,1]`. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(",")}]`
}

function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT)
  for (const [place, value] of vector.entries()) bytes.writeFloatLE(value, place * Float32Array.BYTES_PER_ELEMENT)
  return bytes
}

/** Reads a vector that is stored as bytes. */
export function decodeVector(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = bytes.byteLength / Float32Array.BYTES_PER_ELEMENT
  return Float32Array.from({ length: count }, (_, place) =>
    view.getFloat32(place * Float32Array.BYTES_PER_ELEMENT, true),
  )
}

/** Selects the number of the model's vectors. */
export function countVectors(model: string): Statement {
  return { text: `select count(*)::integer from ${VECTORS} where model = $1`, values: [model] }
}

/** Selects the next vectors in the order of their keys. */
export function nextVectors(model: string, after: { readonly key: string; readonly limit: number }): Statement {
  return {
    text: `select key, vector from ${VECTORS} where model = $1 and key > $2 order by key limit $3`,
    values: [model, after.key, after.limit],
  }
}

/**
 * Selects the keys of the vectors that have become visible since the position, a snapshot. Each row has the new position;
 * a single row without a key if there are none.
 */
export function vectorKeysSince(model: string, position: string): Statement {
  const isNew = "xid >= pg_snapshot_xmin($2::pg_snapshot) and not pg_visible_in_snapshot(xid, $2::pg_snapshot)"
  return {
    text: `select pg_current_snapshot()::text, key from (select 1) _now left join ${VECTORS} on model = $1 and ${isNew}`,
    values: [model, position],
  }
}

export function vectorsOf(model: string, keys: readonly string[]): Statement {
  return {
    text: `select key, vector from ${VECTORS} where model = $1 and key = any($2::uuid[])`,
    values: [model, keys],
  }
}

/** Deletes the vectors of models that no process has used for a day. */
export const FORGET_OLD_MODELS: readonly Statement[] = [
  {
    text: `delete from ${VECTORS} where model in (
      select model from ${MODELS} where used_at < statement_timestamp() - interval '1 day')`,
    values: [],
  },
  { text: `delete from ${MODELS} where used_at < statement_timestamp() - interval '1 day'`, values: [] },
]
