/** A table of the framework's own: no collection, nothing points to it, and no request can name it. */
export interface InternalTable {
  readonly name: string
  /** The first one is the primary key. */
  readonly columns: readonly InternalColumn[]
}

export interface InternalColumn {
  readonly name: string
  readonly sqlType: string
  readonly isRequired?: boolean
  readonly isUnique?: boolean
  readonly isIndexed?: boolean
  /** The table whose row this one belongs to, and goes with. */
  readonly owner?: string
}
