import { Readable } from 'node:stream'
import {
  AccountExport,
  EraseRequest,
  Me,
  MeChanges,
  MessagePermission,
  MessagePermissions,
} from '@meridian/contracts'
import { z } from 'zod'
import { eraseAccount } from '../../account/erase-account.ts'
import { exportAccount } from '../../account/export-account.ts'
import type { Services } from '../../services.ts'
import { addMessagePermission, listMessagePermissions } from '../../users/message-permissions.ts'
import { changeProfile } from '../../users/own-account.ts'
import { failures } from './failures.ts'
import { type RestApp, userOf } from './signed-in.ts'
import { toMe, toMessagePermissions, toProfileChanges } from './translate.ts'

/** The shape of what is streamed: the document tells it, nothing holds it in memory. */
const StreamedExport: z.ZodType<unknown> = AccountExport

function profileRoutes(app: RestApp, services: Services): void {
  const { bigReads, database } = services

  app.get('/me', { schema: { response: { 200: Me } } }, async (request) => toMe(userOf(request)))

  app.put(
    '/me',
    { schema: { body: MeChanges, response: { 200: Me, ...failures('invalid_request') } } },
    async (request) =>
      toMe(await changeProfile(database.pool, userOf(request).id, toProfileChanges(request.body))),
  )

  app.delete(
    '/me',
    {
      schema: {
        body: EraseRequest,
        response: {
          204: z.undefined(),
          ...failures('invalid_request', 'invalid_login_code', 'erasure_blocked', 'login_not_configured'),
        },
      },
    },
    async (request, reply) => {
      await eraseAccount(services, userOf(request), request.body.code)
      return reply.code(204).send()
    },
  )

  app.get(
    '/me/export',
    // The hour's export is for who reads it: a HEAD would use it up unread.
    { exposeHeadRoute: false, schema: { response: { 200: StreamedExport } } },
    async (request, reply) => {
      const pieces = await exportAccount({ pool: database.pool, bigReads, userId: userOf(request).id })
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="meridian-account.json"')
        .send(Readable.from(pieces))
    },
  )
}

function permissionRoutes(app: RestApp, { database }: Services): void {
  app.get('/me/message-permissions', { schema: { response: { 200: MessagePermissions } } }, async (request) =>
    toMessagePermissions(await listMessagePermissions(database.pool, userOf(request).id)),
  )

  app.post(
    '/me/message-permissions',
    {
      schema: {
        body: MessagePermission,
        response: { 200: MessagePermissions, ...failures('invalid_request') },
      },
    },
    async (request) => {
      const { id } = userOf(request)
      await addMessagePermission(database.pool, id, request.body.template)
      return toMessagePermissions(await listMessagePermissions(database.pool, id))
    },
  )
}

export function accountRoutes(app: RestApp, services: Services): void {
  profileRoutes(app, services)
  permissionRoutes(app, services)
}
