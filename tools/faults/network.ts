import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { scheduler } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import type { Figures } from './figures.ts'

const lostForGood = 0.1
const corrupted = 0.05
/** The platform gives up on an answer after five seconds. */
const mostDelayMs = 2_500
const mostDuplicateDelayMs = 12_000

type Options = { targets: readonly [string, string]; chance: Chance; figures: Figures }

export type Network = {
  url: string
  /** Fulfilled when every duplicate that is still on its way has arrived. */
  settled: () => Promise<void>
  close: () => void
}

type Message = { path: string; headers: Record<string, string>; body: Buffer<ArrayBuffer>; place: number }

const idOf = (body: Buffer): string => {
  const envelope: { id?: string } = JSON.parse(body.toString('utf8'))
  return envelope.id ?? ''
}

const isPush = (path: string) => path.startsWith('/api/v1/wechat/push')

/** What a signature covers: of a push the sealed part alone (virtual payment §4.1). */
function signedPart({ path, body }: Message): [from: number, to: number] {
  if (!isPush(path)) return [0, body.length]
  const from = body.indexOf('"Encrypt":"') + '"Encrypt":"'.length
  return [from, body.indexOf('"', from)]
}

function oneBitOff(message: Message, chance: Chance): Buffer<ArrayBuffer> {
  const changed = Buffer.from(message.body)
  const at = Math.floor(chance.between(...signedPart(message)))
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

async function read(request: IncomingMessage, place: number): Promise<Message> {
  const kept = Object.entries(request.headers).filter(([name]) =>
    /^(wechatpay-|content-type|user-agent)/.test(name),
  )
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
  return { path: request.url ?? '/', headers, body: Buffer.from(await buffer(request)), place }
}

const wasAccepted = (status: number | null) => status === 200 || status === 204

type Answer = { status: number | null; text: string }

/** Takes messages to one of the two programs; the status is null where nobody answers. */
function postman({ targets, chance, figures }: Options) {
  let newest = 0
  return async ({ path, headers, body, place }: Message): Promise<Answer> => {
    if (place < newest) figures['deliveries overtaken'] += 1
    newest = Math.max(newest, place)
    const answered = await fetch(`${chance.oneOf(targets)}${path}`, { method: 'POST', headers, body }).then(
      async (answer): Promise<Answer> => ({ status: answer.status, text: await answer.text() }),
      (): Answer => ({ status: null, text: '' }),
    )
    const { status } = answered
    if (status === null) figures['deliveries that met nobody'] += 1
    else figures[wasAccepted(status) ? 'deliveries accepted' : 'deliveries refused'] += 1
    return answered
  }
}

/**
 * What lies between the platform and our two programs, at its worst: a tenth of the notifications never arrives however
 * often it is repeated, deliveries are corrupted, each is late and comes at least twice, and overtakes others.
 */
export async function openNetwork(options: Options): Promise<Network> {
  const { chance, figures } = options
  const post = postman(options)
  const lost = new Map<string, boolean>()
  const underWay = new Set<Promise<unknown>>()
  let departed = 0

  // Which push is which stands in what is sealed: whoever pays decides whether it is lost for good.
  const isLost = ({ path, body }: Message): boolean => {
    if (isPush(path)) return false
    const id = idOf(body)
    const known = lost.get(id)
    if (known !== undefined) return known
    const fate = chance.of(lostForGood)
    lost.set(id, fate)
    figures['notifications departed'] += 1
    if (fate) figures['notifications lost for good'] += 1
    return fate
  }
  const later = (message: Message) => {
    figures['deliveries duplicated'] += 1
    const arrival = scheduler.wait(chance.between(0, mostDuplicateDelayMs)).then(() => post(message))
    underWay.add(arrival)
    void arrival.finally(() => underWay.delete(arrival))
  }
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    departed += 1
    const message = await read(request, departed)
    if (isLost(message)) {
      figures['deliveries dropped'] += 1
      request.socket.destroy()
      return
    }
    const isCorrupted = chance.of(corrupted)
    const arriving = isCorrupted ? { ...message, body: oneBitOff(message, chance) } : message
    if (isCorrupted) figures['deliveries corrupted'] += 1
    later(arriving)
    if (chance.of(0.3)) later(arriving)
    await scheduler.wait(chance.between(0, mostDelayMs))
    const { status, text } = await post(arriving)
    if (isCorrupted && wasAccepted(status)) figures['corrupted ones accepted'] += 1
    // Of a push the body counts too: an empty one would mean delivered (virtual payment §4.3).
    response.writeHead(status ?? 502).end(text || (wasAccepted(status) ? '' : 'nobody answered'))
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    settled: async () => void (await Promise.all(underWay)),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
