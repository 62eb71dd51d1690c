import type { Statement } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { Returning } from "../../sql/changes/changes.ts"
import type { RowRules } from "../../sql/write/ruled-statement.ts"
import type { WriteContext } from "../context/hook-context.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { RevisionCheck } from "../read/revision.ts"
import type { HookedChange } from "./hooks.ts"
import type { FieldInput } from "./input.ts"
import type { NestedWrites } from "./relations/nested.ts"
import type { WriteRights } from "./rights.ts"

/** The record of a write, as its operation describes it. */
export interface DescribedRecord {
  readonly rights: WriteRights
  /** Locks the record, and evaluates the rules on it. Absent for a new record. */
  lock?(ctx: WriteContext): Promise<void>
  /** The revision that the caller expects the record to have. Absent for a new record. */
  readonly revision?: RevisionCheck
}

/** A write of the caller's input to one record, as its operation describes it: a create or an update. */
export interface InputWrite extends DescribedRecord {
  readonly resource: Resource
  /** The id of the record. Absent for a new record. */
  readonly id?: string
  readonly operation: HookedChange["operation"]
  readonly data: unknown
  /** The stage whose copy of the record is written. */
  readonly stage?: string
  /** Adds the values that the server sets, and returns the row to write. */
  complete(ctx: OperationContext, values: FieldInput): CompleteRow
}

/** A row with all its values, and the statement that writes it. */
interface CompleteRow {
  readonly id: string
  /** Returns the statement that writes the row. It returns the row's id, and after it a verdict for each rule. */
  statement(rules: RowRules): Statement
  /** Returns a statement that writes and returns the row. Absent if the operation is never a single statement. */
  statementReturning?(returning: Returning): Statement
}

/** The input of a write after it was parsed. */
export interface ParsedInput {
  readonly values: FieldInput
  readonly nested: NestedWrites | undefined
  readonly original: HookedChange["original"]
}
