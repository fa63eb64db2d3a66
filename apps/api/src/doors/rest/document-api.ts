import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Language, languageOf } from '../problem.ts'
import { browsingPagePolicy, problemPage } from './document-pages.ts'
import { operationsByCode } from './document-refusals.ts'
import type { DocumentShape } from './document-shape.ts'
import { tellDocument } from './tell-document.ts'
import { nameSchemas } from './words/schemas.ts'

const Made = z.custom<DocumentShape>((document) => typeof document === 'object' && document !== null)

/** The document as the routes make it, without words. */
const madeBy = (app: FastifyInstance): DocumentShape => Made.parse(app.swagger())

/** The contract as a document, generated from the schemas that validate and serialise: of the routes that follow. */
export async function documentApi(app: FastifyInstance): Promise<void> {
  nameSchemas()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Meridian', version: '1' },
      components: {
        securitySchemes: {
          user: { type: 'http', scheme: 'bearer' },
          api_key: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
}

const written = new Map<Language, string>()

/** The document, written once in each language: the routes are the same in every app. */
function documentIn(app: FastifyInstance, language: Language): string {
  const document = written.get(language) ?? JSON.stringify(tellDocument(madeBy(app), language))
  written.set(language, document)
  return document
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
  problemPage(app, () => operationsByCode(madeBy(app)))
  // Writing it takes a fifth of a second of the event loop: before the program is ready, and not while phones wait.
  app.addHook('onListen', async () => {
    documentIn(app, 'zh')
    documentIn(app, 'en')
  })
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    const language = languageOf(request.headers['accept-language'])
    return reply
      .header('vary', 'Accept-Language')
      .header('content-language', language === 'en' ? 'en' : 'zh-CN')
      .type('application/json; charset=utf-8')
      .send(documentIn(app, language))
  })
  await app.register(browsingPage)
}
