/** Runs a piece of work on the database when those before it are done: so that all of them take one connection. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>
