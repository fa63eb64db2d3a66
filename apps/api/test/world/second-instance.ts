import { systemRuntime } from '@meridian/payments'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { openMetrics } from '../../src/doors/operations/metrics-door.ts'
import { closeServices, openServices } from '../../src/services.ts'
import type { Phone } from './phone.ts'
import type { TestWorld } from './test-world.ts'

/** Another replica on the same database: its own connections, its own port, the same time. */
export async function secondInstance({ config, clocks }: Pick<TestWorld, 'config' | 'clocks'>) {
  const services = openServices(config, pino({ level: 'silent' }), systemRuntime)
  await services.clock.read()
  clocks.add(services.clock)
  const app = await buildApp(services, { readiness: { draining: false }, metrics: openMetrics() })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    services,
    [Symbol.asyncDispose]: async () => {
      clocks.delete(services.clock)
      await app.close()
      await closeServices(services)
    },
  }
}

/** The interface of two replicas in turn, as a load balancer would choose. */
export const inTurn =
  (phone: Phone, otherUrl: string) =>
  (turn: number, path: string, request: Parameters<Phone['call']>[1] = {}) =>
    phone.callAt(turn % 2 === 0 ? phone.api : `${otherUrl}/api/v1`, path, request)
