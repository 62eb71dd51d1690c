import type { InternalColumn, InternalTable } from "../../../schema/compile/internal-table.ts"

const ID: InternalColumn = { name: "id", sqlType: "uuid" }
const OWNER: InternalColumn = { name: "userId", sqlType: "uuid", isRequired: true, isIndexed: true, owner: "users" }
const TIMESTAMPS: readonly InternalColumn[] = [timestampColumn("createdAt"), timestampColumn("updatedAt")]

/** The table of open sessions. `token` holds a hash, so a person who can read the table cannot sign in with it. */
export const SESSIONS: InternalTable = {
  name: "_kit_sessions",
  columns: [
    ID,
    OWNER,
    { name: "token", sqlType: "text", isRequired: true, isUnique: true },
    timestampColumn("expiresAt"),
    text("ipAddress"),
    text("userAgent"),
    ...TIMESTAMPS,
  ],
}

/** The table of sign-in methods: each row lets a user sign in with a password or through a provider. */
export const ACCOUNTS: InternalTable = {
  name: "_kit_accounts",
  columns: [
    ID,
    OWNER,
    { name: "accountId", sqlType: "text", isRequired: true, isIndexed: true },
    { name: "providerId", sqlType: "text", isRequired: true },
    text("password"),
    text("accessToken"),
    text("refreshToken"),
    text("idToken"),
    { name: "accessTokenExpiresAt", sqlType: "timestamptz(3)" },
    { name: "refreshTokenExpiresAt", sqlType: "timestamptz(3)" },
    text("scope"),
    ...TIMESTAMPS,
  ],
}

/**
 * The table of mailed tokens that are not used yet, and of sign-ins that are in progress at a provider. The identifiers
 * are stored as hashes.
 */
export const VERIFICATIONS: InternalTable = {
  name: "_kit_verifications",
  columns: [
    ID,
    { name: "identifier", sqlType: "text", isRequired: true, isIndexed: true },
    { name: "value", sqlType: "text", isRequired: true },
    timestampColumn("expiresAt"),
    ...TIMESTAMPS,
  ],
}

/**
 * The table of API keys. A request with an API key acts as the user who owns the key. Only hashes of the keys are
 * stored.
 */
export const API_KEYS: InternalTable = {
  name: "_kit_api_keys",
  columns: [
    ID,
    OWNER,
    { name: "name", sqlType: "text", isRequired: true },
    { name: "prefix", sqlType: "text", isRequired: true },
    { name: "hash", sqlType: "text", isRequired: true, isUnique: true },
    { name: "expiresAt", sqlType: "timestamptz(3)" },
    { name: "lastUsedAt", sqlType: "timestamptz(3)" },
    timestampColumn("createdAt"),
  ],
}

export const IDENTITY_TABLES: readonly InternalTable[] = [SESSIONS, ACCOUNTS, VERIFICATIONS, API_KEYS]

function timestampColumn(name: string): InternalColumn {
  return { name, sqlType: "timestamptz(3)", isRequired: true }
}

function text(name: string): InternalColumn {
  return { name, sqlType: "text" }
}
