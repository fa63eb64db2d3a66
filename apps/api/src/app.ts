import helmet from '@fastify/helmet'
import { proxyReader } from '@meridian/contracts/addresses'
import type { Tracing } from '@meridian/tracing'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { exportDoor } from './doors/files/export-door.ts'
import { fileDoor } from './doors/files/file-door.ts'
import { importDoor } from './doors/files/import-door.ts'
import { logRequests } from './doors/log-requests.ts'
import { notificationDoor, refuseOtherMethods } from './doors/notifications/notification-door.ts'
import { pushDoor } from './doors/notifications/push-door.ts'
import { healthDoor, type Readiness } from './doors/operations/health-door.ts'
import { type Metrics, measureRequests } from './doors/operations/metrics-door.ts'
import { traceRequests } from './doors/operations/trace-requests.ts'
import { observePayments, servePayersFirst } from './doors/paying-requests.ts'
import { answerProblem } from './doors/problem.ts'
import { acceptJson, validateInput } from './doors/read-input.ts'
import { refuseWritesWhileStuck } from './doors/refuse-writes.ts'
import { restDoor } from './doors/rest/rest-door.ts'
import { answerClientError, giveHeaders, rememberExchange } from './doors/server-answers.ts'
import { trpcDoor } from './doors/trpc/trpc-door.ts'
import { DomainError } from './platform/errors/domain-error.ts'
import { newId } from './platform/ids/new-id.ts'
import { atDoor, type Services } from './services.ts'

export type Operations = { readiness: Readiness; metrics: Metrics; traces?: Tracing | null }

/**
 * Within this a request is here as a whole, from a phone at the edge of its network too; who dawdles is closed. Not
 * sooner: a program that stood still for a while counts its own pause as one of its callers'.
 */
const requestTimeout = 30_000

/** RFC 9112 §3.2: such a request must be refused. */
const withoutHost = () =>
  new DomainError('invalid_request', {
    errors: [{ path: 'host', message: { zh: '缺少 Host 标头', en: 'is a header that HTTP/1.1 requires' } }],
  })

function openApp({ config, log }: Services): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  return Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 64 * 1024,
    trustProxy: config.TRUST_PROXY.length > 0 ? proxyReader(config.TRUST_PROXY) : false,
    requestTimeout,
    keepAliveTimeout: 65_000,
    // A request without Host is ours to refuse: Node's own answer would have no request id.
    http: { headersTimeout: requestTimeout, connectionsCheckingInterval: 1000, requireHostHeader: false },
    routerOptions: { maxParamLength: 5000, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) =>
      answerProblem(error, request, reply.header('x-request-id', request.id)),
    clientErrorHandler: answerClientError,
    genReqId: () => newId(),
  })
}

/** The doors, in reading order; a worker has but the one by which it is watched. Builds the app; somebody else starts it. */
export async function buildApp(
  services: Services,
  { readiness, metrics, traces = null }: Operations,
): Promise<FastifyInstance> {
  const app = openApp(services)
  app.setValidatorCompiler(validateInput)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error: Error, request, reply) => answerProblem(error, request, reply))
  app.setNotFoundHandler(() => {
    throw new DomainError('not_found')
  })
  traceRequests(app, traces)
  // Tokens and personal answers are nobody's to keep: a route that is public or revalidated says so itself.
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store')
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) throw withoutHost()
  })
  // Before a body is read: what does not exist does not parse either.
  app.addHook('preParsing', async (request) => {
    if (request.is404) throw new DomainError('not_found')
  })
  // A connection that stays open after its last answer would keep the program from ending.
  app.addHook('onSend', async (_request, reply) => {
    if (readiness.draining) reply.header('connection', 'close')
  })
  logRequests(app)
  app.server.prependListener('request', rememberExchange)
  app.server.prependListener('request', giveHeaders)
  // What a client expects of us beyond HTTP is its own affair: it gets the answer it would get without.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  measureRequests(app, metrics)
  metrics.showServices(services)
  // The others of the family; `giveHeaders` gives these three, to what never reaches a hook as well.
  await app.register(helmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    xContentTypeOptions: false,
  })

  if (services.config.MERIDIAN_ROLE !== 'worker') await openDoors(app, services)
  await app.register(healthDoor(atDoor(services, 'payments'), readiness))
  return app
}

async function openDoors(app: FastifyInstance, services: Services): Promise<void> {
  refuseOtherMethods(app)
  refuseWritesWhileStuck(app, services.databaseState)
  servePayersFirst(app)
  observePayments(app, services)
  await app.register(notificationDoor(services))
  await app.register(pushDoor(services))
  await app.register(
    async (rest) => {
      acceptJson(rest, services.longBodies)
      await rest.register(restDoor(services))
    },
    { prefix: '/api/v1' },
  )
  const console = atDoor(services, 'console')
  await app.register(trpcDoor(console))
  await app.register(fileDoor(console))
  await app.register(importDoor(console))
  await app.register(exportDoor(console))
}
