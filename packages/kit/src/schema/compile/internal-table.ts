/** A table of the framework itself: no relation can refer to it, and no request can use it. */
export interface InternalTable {
  readonly name: string
  /** The columns; the first one is the primary key. */
  readonly columns: readonly InternalColumn[]
}

export interface InternalColumn {
  readonly name: string
  readonly sqlType: string
  readonly isRequired?: boolean
  readonly isUnique?: boolean
  readonly isIndexed?: boolean
  /** The table that this column refers to. Deleting the referenced row deletes this row. */
  readonly owner?: string
}
