import { PlanList } from '@meridian/contracts'
import { z } from 'zod'
import { ClientPlatform, listPlans } from '../../plans/list-plans.ts'
import type { Services } from '../../services.ts'
import { etagOf, matchesTag } from './etag.ts'
import type { RestApp } from './signed-in.ts'
import { toPlan } from './translate.ts'

/** Absent or unknown platforms are `other`. */
export const platformHeader = z.object({
  'x-client-platform': ClientPlatform.default('other').catch('other'),
})

export function planRoutes(app: RestApp, services: Services): void {
  app.get(
    '/subscription/plans',
    {
      schema: {
        tags: ['subscription'],
        headers: platformHeader,
        response: { 200: PlanList, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const { plans, sale } = await listPlans(services.database.pool, request.headers['x-client-platform'])
      const body = { plans: plans.map(toPlan), sale }
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
