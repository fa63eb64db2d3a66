import { DiagnosisConfig } from '@meridian/contracts'
import { z } from 'zod'
import { showConfig } from '../../diagnosis/show-config.ts'
import type { Services } from '../../services.ts'
import { etagOf, matchesTag } from './etag.ts'
import { type RestApp, userOf } from './signed-in.ts'
import { toDiagnosisConfig } from './translate.ts'

export function diagnosisRoutes(app: RestApp, { database: { pool } }: Services): void {
  app.get(
    '/diagnosis-config',
    { schema: { tags: ['diagnosis'], response: { 200: DiagnosisConfig, 304: z.undefined() } } },
    async (request, reply) => {
      const body = toDiagnosisConfig(await showConfig(pool, userOf(request).id))
      const etag = etagOf(body)
      reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'Authorization')
      if (matchesTag(request.raw.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.code(200).send(body)
    },
  )
}
