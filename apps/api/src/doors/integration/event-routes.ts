import { EventPage, EventQuery } from '@meridian/contracts'
import { listEvents } from '../../events/list-events.ts'
import type { Services } from '../../services.ts'
import { failures } from '../rest/failures.ts'
import type { RestApp } from '../rest/signed-in.ts'

export function eventRoutes(app: RestApp, { database }: Services): void {
  app.get(
    '/integration/events',
    {
      config: { scope: 'events:read' },
      schema: {
        tags: ['integration'],
        querystring: EventQuery,
        response: { 200: EventPage, ...failures('invalid_request') },
      },
    },
    (request) => listEvents(database.pool, request.query),
  )
}
