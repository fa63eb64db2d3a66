import { systemRuntime } from '@meridian/payments'
import { inheritedSockets, listenOn } from '@meridian/process/inherited-sockets'
import { buildApp } from '../../apps/api/src/app.ts'
import { readConfig } from '../../apps/api/src/config.ts'
import { openMetrics } from '../../apps/api/src/doors/operations/metrics-door.ts'
import { openLog } from '../../apps/api/src/platform/log.ts'
import { openServices } from '../../apps/api/src/services.ts'

/**
 * The HTTP server of the API, its log and its connections, with one route more: a bare look-up by a unique index, without
 * a key, a limit or a schema. It is the floor of what systems ask the same server.
 */
const config = readConfig(process.env)
const services = openServices(config, openLog(config.LOG_LEVEL), systemRuntime)
const app = await buildApp(services, { readiness: { draining: false }, metrics: openMetrics() })
app.get<{ Querystring: { openid: string } }>('/bare/user', async ({ query }) => {
  const { rows } = await services.doors.console.pool.query({
    name: 'bare-user',
    text: 'SELECT id, disabled_at FROM users WHERE openid = $1',
    values: [query.openid],
  })
  return rows[0]
})
await app.listen(listenOn(inheritedSockets(process.env).http, { host: '127.0.0.1', port: 0 }))
