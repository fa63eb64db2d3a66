const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Proves that a database may be destroyed: it is on this machine and its name ends in _dev, _test or _e2e.
 * @throws Error naming host and database, never the credentials
 */
export function assertDisposable(databaseUrl: string): void {
  const { hostname, pathname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? hostname
  if (localHosts.has(host) && /_(dev|test|e2e)$/.test(pathname)) return
  throw new Error(`Refusing to reset ${host}${pathname}: not a local *_dev, *_test or *_e2e database`)
}
