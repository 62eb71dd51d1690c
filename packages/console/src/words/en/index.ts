import { account } from "./account.ts"
import { code } from "./code.ts"
import { entrance } from "./entrance.ts"
import { files } from "./files.ts"
import { keys } from "./keys.ts"
import { list } from "./list.ts"
import { locales } from "./locales.ts"
import { palette } from "./palette.ts"
import { parts } from "./parts.ts"
import { people } from "./people.ts"
import { record } from "./record.ts"
import { relations } from "./relations.ts"
import { shell } from "./shell.ts"
import { values } from "./values.ts"
import { versions } from "./versions.ts"

/** The texts of the console in English. Every other language has the same members. */
export const en = {
  shell,
  entrance,
  account,
  code,
  people,
  files,
  keys,
  list,
  locales,
  palette,
  parts,
  record,
  relations,
  values,
  versions,
}
