import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const Value = z
  .object({
    stringValue: z.string(),
    intValue: z.coerce.number(),
    doubleValue: z.number(),
    boolValue: z.boolean(),
  })
  .partial()
  .transform((value) => value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue ?? null)
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])))
const Ids = z.object({ traceId: z.string(), spanId: z.string() })

const Span = Ids.extend({
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes: Attributes,
  links: z.array(Ids).default([]),
  status: z.object({ code: z.int().optional() }).default({}),
})
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

export type ReceivedSpan = z.infer<typeof Span> & { service: string }

/** What a collector does with what it is sent. */
type Mood = 'takes' | 'refuses' | 'hangs'

export type Collector = {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string
  /** Everything it was sent, as it came. */
  bodies: string[]
  /** The headers of what it was sent. */
  headers: NodeJS.Dict<string | string[]>[]
  spans: () => ReceivedSpan[]
  [Symbol.asyncDispose]: () => Promise<void>
}

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans } = Export.parse(JSON.parse(body))
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, service: String(resource.attributes['service.name']) })),
    ),
  )
}

/** A collector of traces on loopback: OTLP over HTTP, in JSON. */
export async function startCollector(mood: Mood = 'takes'): Promise<Collector> {
  const bodies: string[] = []
  const headers: Collector['headers'] = []
  const server = createServer(async (request, response) => {
    headers.push(request.headers)
    bodies.push(await text(request))
    if (mood === 'hangs') return
    response.writeHead(mood === 'takes' ? 200 : 400, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const { port }: Pick<AddressInfo, 'port'> = typeof address === 'object' && address ? address : { port: 0 }
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    headers,
    spans: () => bodies.flatMap(spansIn),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
