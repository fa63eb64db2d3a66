const environment: Readonly<Record<string, string | undefined>> = { ...process.env }
const number = (name: string, usual: number) => Number(environment[name] || usual)

/** What a drill may be told by its environment. */
export const config = {
  /** Shoppers of each of the three phases whose log is archived; each orders twice. */
  shoppers: number('DRILL_SHOPPERS', 25),
  /** Orders of each kind whose payment is archived nowhere. */
  lateOrders: number('DRILL_LATE_ORDERS', 20),
  atOnce: number('DRILL_AT_ONCE', 8),
  /** How long payments may take to come home, in minutes. */
  healMinutes: number('DRILL_HEAL_MINUTES', 10),
  seed: number('DRILL_SEED', Date.now() % 1_000_000),
  /** Where Debian and PGDG put PostgreSQL's programs; another major version: `DRILL_POSTGRES=/usr/lib/postgresql/17`. */
  postgres: environment['DRILL_POSTGRES'] || '/usr/lib/postgresql/15',
  path: environment['PATH'] ?? '/usr/bin:/bin',
}
