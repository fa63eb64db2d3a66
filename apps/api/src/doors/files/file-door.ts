import { DEVICE_IMPORT_LIMIT_BYTES, DeviceImportMode } from '@meridian/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { importDevices } from '../../devices/import-devices.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { openAllowance } from '../../platform/limits/bounded-work.ts'
import type { Services } from '../../services.ts'
import { requirePermission, requireSecondFactor } from '../trpc/procedures.ts'
import { admitConsole, readSession } from '../trpc/trpc-door.ts'

async function actorOf(services: Services, request: FastifyRequest) {
  const session = await readSession(services, request)
  if (!session) throw new DomainError('unauthenticated')
  if (session.operator.mustChangePassword) throw new DomainError('password_change_required')
  requireSecondFactor(session)
  requirePermission(session, 'device.import')
  const { address, userAgent } = request.browser ?? { address: request.ip, userAgent: '' }
  return { operatorId: session.operator.id, from: { address, userAgent, requestId: request.id } }
}

/** A process reads one import at a time: several would share the event loop with everybody else. */
const importsAllowed = { atOnce: 1, waiting: 10 }

/** Whole files that the console takes in: behind the same door as its other calls. */
export function fileDoor(services: Services) {
  const imports = openAllowance(importsAllowed)
  return async (app: FastifyInstance) => {
    app.decorateRequest('browser', null)
    app.addHook('onRequest', (request) => admitConsole(services, request))
    app.removeAllContentTypeParsers()
    const bodyLimit = DEVICE_IMPORT_LIMIT_BYTES
    app.addContentTypeParser('text/csv', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    app.post<{ Querystring: { mode?: string } }>(
      '/console/imports/devices',
      { bodyLimit },
      async (request) => {
        const actor = await actorOf(services, request)
        const { body } = request
        if (!(body instanceof Buffer)) throw new DomainError('unsupported_media_type')
        const mode = DeviceImportMode.safeParse(request.query.mode ?? 'preview')
        if (!mode.success) throw new DomainError('invalid_request')
        return imports.run(() => importDevices(services, body, { mode: mode.data, actor }))
      },
    )
  }
}
