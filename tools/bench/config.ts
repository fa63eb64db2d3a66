const environment: Readonly<Record<string, string | undefined>> = { ...process.env }

/** What a run may be told by its environment. */
export const config = {
  /** How many orders the past has. */
  orders: Number(environment['BENCH_ORDERS'] ?? 1_000_000),
  /** With how many orders each the growth is measured, smallest first. */
  growth: (environment['BENCH_GROWTH'] ?? '100000,1000000,10000000').split(',').map(Number),
  /** How many rounds each comparison takes. */
  rounds: Number(environment['BENCH_ROUNDS'] ?? 9),
  /** How many notifications the memory is watched for. */
  memoryNotifications: Number(environment['BENCH_MEMORY'] ?? 100_000),
  /** How many orders are notified of ten times each while programs are killed. */
  deliveredOrders: Number(environment['BENCH_DELIVERED'] ?? 100_000),
  /** A folder that keeps the planted databases for the next run; without, everything is thrown away. */
  keepIn: environment['BENCH_DATA'] ?? null,
  /** A folder for profiles of the programs that are measured, to be read by a browser's developer tools. */
  profilesIn: environment['BENCH_PROFILE'] ?? null,
  searchPath: environment['PATH'] ?? '',
}
