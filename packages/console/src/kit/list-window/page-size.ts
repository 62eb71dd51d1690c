/** The number of records that a page of a list reads. A page between two cursors has room for as many new ones. */
export const PAGE_SIZE = 100
