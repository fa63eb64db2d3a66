import { systemRuntime } from '@meridian/payments'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { openMetrics } from '../../src/doors/operations/metrics-door.ts'
import { openServices } from '../../src/services.ts'
import { environmentFor } from '../world/test-world.ts'

/** The document as the schemas of today make it, in one language; needs neither a database nor a port. */
export async function generateDocument(language: 'en' | 'zh-CN'): Promise<object> {
  const config = readConfig(environmentFor('postgres://nobody@127.0.0.1:1/nothing', 0))
  const services = openServices(config, pino({ level: 'silent' }), systemRuntime)
  const app = await buildApp(services, { readiness: { draining: false }, metrics: openMetrics() })
  try {
    return Object(
      (await app.inject({ url: '/api/v1/openapi.json', headers: { 'accept-language': language } })).json(),
    )
  } finally {
    await app.close()
    await services.database.close()
  }
}
