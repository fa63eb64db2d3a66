import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { browsingPagePolicy, problemPage } from './document-pages.ts'

type Content = Record<string, unknown>

type Operation = {
  requestBody?: { required?: boolean; content?: Record<string, { schema?: { anyOf?: { type?: string }[] } }> }
  responses: Record<string, { content?: Content }>
}

/** A body that may be null may be left out: an empty body is none. */
function tellOptionalBody({ requestBody }: Operation): void {
  const shapes = requestBody?.content?.['application/json']?.schema?.anyOf ?? []
  if (requestBody && shapes.some(({ type }) => type === 'null')) requestBody.required = false
}

/** Failures are answered as `application/problem+json` (RFC 9457), which a schema cannot say. */
function tellProblemType({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses))
    if (Number(status) >= 400 && response.content)
      response.content = { 'application/problem+json': response.content['application/json'] }
}

/** The document with what the schemas cannot say. */
function completed<Document extends { paths?: object }>(document: Document): Document {
  for (const operations of Object.values(document.paths ?? {}))
    for (const operation of Object.values<Operation>(operations)) {
      tellOptionalBody(operation)
      tellProblemType(operation)
    }
  return document
}

/** The contract as a document, generated from the schemas that validate and serialise: of the routes that follow. */
export async function documentApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Meridian', description: 'The interface of the mini-program.', version: '1' },
      components: { securitySchemes: { user: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) =>
      'openapiObject' in document ? completed(document.openapiObject) : document.swaggerObject,
  })
}

/** A page to browse the document; it asks nobody but us, neither for fonts nor to be counted. */
async function browsingPage(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html'))
      reply.header('content-security-policy', browsingPagePolicy(payload))
  })
  const configuration = {
    url: '/api/v1/openapi.json',
    pageTitle: 'Meridian API',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    showDeveloperTools: 'never',
  } as const
  await app.register(scalar, { routePrefix: '/docs', configuration })
}

/** Where the document is read, and a page to browse it. */
export async function documentRoutes(app: FastifyInstance): Promise<void> {
  problemPage(app)
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(browsingPage)
}
