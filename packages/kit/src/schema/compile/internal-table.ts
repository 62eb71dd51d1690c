/** A table of the framework itself. No relation can refer to it, and no request can read or write it. */
export interface InternalTable {
  readonly name: string
  /** The table's columns. The first column is the primary key. */
  readonly columns: readonly InternalColumn[]
}

export interface InternalColumn {
  readonly name: string
  readonly sqlType: string
  readonly isRequired?: boolean
  readonly isUnique?: boolean
  readonly isIndexed?: boolean
  /**
   * The name of the table to which this foreign key column refers. Deleting a row there deletes the rows that refer to
   * it.
   */
  readonly owner?: string
}
