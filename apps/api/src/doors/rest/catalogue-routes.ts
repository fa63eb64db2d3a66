import { createHash } from 'node:crypto'
import { DiagnosisConfig, PlanList } from '@meridian/contracts'
import { z } from 'zod'
import { showConfig } from '../../diagnosis/published-config.ts'
import { ClientPlatform, listPlans } from '../../plans/list-plans.ts'
import type { Services } from '../../services.ts'
import { languageOf } from '../problem.ts'
import { type RestApp, userOf } from './signed-in.ts'
import { toDiagnosisConfig, toPlan } from './translate.ts'

/** A tag that changes whenever the answer does. */
const etagOf = (body: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 27)}"`

/** Whether `If-None-Match` names this tag, also weakened by a proxy that compressed the answer (RFC 9110 §13.1.2). */
const matchesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))

/** Absent or unknown platforms are `other`. */
export const platformHeader = z.object({
  'x-client-platform': ClientPlatform.default('other').catch('other'),
})

export function planRoutes(app: RestApp, services: Services): void {
  app.get(
    '/subscription/plans',
    {
      schema: {
        headers: platformHeader,
        response: { 200: PlanList, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const { plans, sale } = await listPlans(services.database.pool, request.headers['x-client-platform'])
      const language = languageOf(request.raw.headers['accept-language'])
      const body = { plans: plans.map((plan) => toPlan(plan, language)), sale }
      const etag = etagOf(body)
      reply
        .header('etag', etag)
        .header('cache-control', 'public, max-age=60')
        .header('vary', 'X-Client-Platform, Accept-Language')
      if (matchesTag(request.raw.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.code(200).send(body)
    },
  )
}

export function diagnosisRoutes(app: RestApp, { database }: Services): void {
  app.get(
    '/diagnosis-config',
    { schema: { response: { 200: DiagnosisConfig, 304: z.undefined() } } },
    async (request, reply) => {
      const body = toDiagnosisConfig(await showConfig(database.pool, userOf(request).id))
      const etag = etagOf(body)
      reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'Authorization')
      if (matchesTag(request.raw.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.code(200).send(body)
    },
  )
}
