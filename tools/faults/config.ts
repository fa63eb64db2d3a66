const environment: Readonly<Record<string, string | undefined>> = { ...process.env }
const number = (name: string, usual: number) => Number(environment[name] || usual)

/** What a run may be told by its environment. */
export const config = {
  /** How many orders are made, two by each shopper. */
  orders: number('FAULTS_ORDERS', 5000),
  /** How many shoppers are in the shop at once. */
  atOnce: number('FAULTS_AT_ONCE', 24),
  /** One of the two programs is killed about so often, in seconds. */
  killEvery: number('FAULTS_KILL_EVERY', 6),
  /** How many minutes there are to heal in. */
  healMinutes: number('FAULTS_HEAL_MINUTES', 20),
  /** The PgBouncer that stands, in transaction mode, between the programs and the database; none where absent. */
  pooler: environment['FAULTS_POOLER'] || null,
  /** The folder of the PostgreSQL that is used instead of the embedded one. */
  postgres: environment['FAULTS_POSTGRES'] || null,
  /** How many payments a program commits together at most; 1 groups nothing. */
  groupSize: number('FAULTS_GROUP_SIZE', 32),
  /** What chance starts from; a run is printed with it, though no two runs of so many programs are the same. */
  seed: number('FAULTS_SEED', Date.now() % 1_000_000),
}
