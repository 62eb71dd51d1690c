// Written by kit generate; changes are lost.
// @ts-nocheck
// No file of the app mentions `db`. Once one does, the tables stand here.
export {}
