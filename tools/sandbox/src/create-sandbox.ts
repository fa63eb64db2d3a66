import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { defaultPlans } from '@meridian/db/defaults'
import { createPlatform, fileStore, type PlatformCore, VirtualPhoneError } from '@meridian/payments/testing'
import type { SandboxConfig } from './config.ts'
import { openDemoPlayer } from './demo-player.ts'
import { type PhoneAct, PhoneRefusal, phoneActs } from './phone-acts.ts'
import { type ApiClock, sandboxClock } from './sandbox-clock.ts'
import { keepKeys, writeApiSettings } from './write-api-settings.ts'

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'origin', 'referer'])

/** Passes a call of the phone page on to the API, so that the page needs no cross-origin permission. */
function proxyApi(apiUrl: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !hopByHop.has(name)))
  const target = new URL(incoming.url ?? '/', apiUrl)
  const passed = request(target, { method: incoming.method, headers }, (answer) => {
    const { connection: _, 'keep-alive': __, ...answered } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, answered)
    answer.pipe(outgoing)
  })
  passed.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else
      outgoing
        .writeHead(502, { 'content-type': 'application/json' })
        .end('{"title":"The API cannot be reached"}')
  })
  outgoing.on('close', () => passed.destroy())
  incoming.pipe(passed)
}

const pages: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/phone/phone.css': { file: 'phone.css', type: 'text/css; charset=utf-8' },
  '/phone/care.css': { file: 'care.css', type: 'text/css; charset=utf-8' },
  '/phone/virtual.css': { file: 'virtual.css', type: 'text/css; charset=utf-8' },
  '/phone/phone.js': { file: 'phone.js', type: 'text/javascript; charset=utf-8' },
}

const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** How long a number that nobody pays stays open: as long as a prepay_id, since no page says (virtual payment §9). */
const sheetsCloseAfterMs = 2 * 3_600_000

/** The items of the plans that a sandbox begins with, at their first prices; what somebody has changed stays. */
function plantItems(platform: PlatformCore): void {
  for (const { code, priceFen } of defaultPlans)
    if (!platform.virtual.items.has(code)) platform.plantItem({ id: code, priceFen })
}

export type Sandbox = {
  server: Server
  /** Makes it known under this address; answers the file of settings for an API. */
  announce: (baseUrl: string) => string
  stop: () => void
}

/**
 * The payment platform, the login service, the phone page and its switches behind one server that does not listen yet.
 * Its clock moves where that of the API can be moved.
 */
export function createSandbox(config: SandboxConfig, apiClock: ApiClock | null = null): Sandbox {
  const store = fileStore(config.folder)
  const platform = createPlatform({ keys: keepKeys(config.folder), store, sheetsCloseAfterMs })
  platform.usePush({ url: config.pushUrl })
  plantItems(platform)
  const clock = sandboxClock(platform, { apiClock, apiUrl: config.apiUrl })
  const player = openDemoPlayer(config.demoCommand)
  const acts: Record<string, PhoneAct> = {
    ...phoneActs(platform),
    ...player.acts,
    'GET /phone/settings': () => ({ consoleUrl: config.consoleUrl }),
    'GET /phone/clock': clock.show,
    'POST /phone/clock': clock.move,
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const page = pages[path]
    const act = acts[`${request.method} ${path}`]
    if (page !== undefined && request.method === 'GET') {
      response.writeHead(200, { ...pageHeaders, 'content-type': page.type })
      response.end(readFileSync(join(config.pageFolder, page.file)))
    } else if (isForeign(request.headers)) refuseForeign(response)
    else if (act !== undefined) void answerPhone(act, request, response)
    else if (path.startsWith('/api/v1/')) proxyApi(config.apiUrl, request, response)
    else platform.listener(request, response)
  })
  return {
    server,
    announce: (baseUrl) =>
      writeApiSettings(config.folder, platform.settings(baseUrl, { notifyUrl: config.notifyUrl })),
    stop: () => {
      player.stop()
      clock.stop()
      platform.stopSchedule()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Whatever is no page moves money or changes how the platform behaves: for our own page and for programs. */
const refuseForeign = (response: ServerResponse) =>
  response
    .writeHead(403, { 'content-type': 'application/json' })
    .end('{"message":"Another origin asks; the sandbox answers its own page and programs only."}')

async function answerPhone(
  act: (body: Record<string, unknown>) => unknown,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answer = await act(request.method === 'GET' ? {} : await readJson(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const refusal = { message, ...(error instanceof VirtualPhoneError && { errCode: error.errCode }) }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
  }
}

/** JSON only: a page of another origin cannot send that without being allowed to. */
async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!request.headers['content-type']?.startsWith('application/json')) throw new PhoneRefusal('Send JSON.')
  const body = await json(request)
  if (typeof body !== 'object' || body === null) throw new PhoneRefusal('Send a JSON object.')
  return { ...body }
}

/** Whether a page of another origin sends this: browsers say so by `Sec-Fetch-Site` or `Origin`, programs send neither. */
function isForeign(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const { origin, host } = headers
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)
}
