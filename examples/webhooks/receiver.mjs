// Takes webhooks of Meridian: WEBHOOK_SECRET=whsec_… PORT=4000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { WEBHOOK_SECRET, PORT } = process.env
const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
const taken = new Set() // Keep it in your database: an event may come more than once.

function isGenuine({ 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given = '' }, body) {
  const digest = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')
  const wanted = Buffer.from(`v1,${digest}`)
  const isWanted = (bytes) => bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
  const isSigned = given.split(' ').some((signature) => isWanted(Buffer.from(signature)))
  return isSigned && Math.abs(Date.now() / 1000 - Number(at)) <= 300
}

async function receive(request, response) {
  if (!(Number(request.headers['content-length']) <= 65_536)) return response.writeHead(413).end()
  const body = Buffer.concat(await request.toArray())
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()
  const id = request.headers['webhook-id']
  if (!taken.has(id)) console.log(id, JSON.parse(body).type) // Do what it asks for, or put it into a queue.
  taken.add(id)
  response.writeHead(204).end()
}

const server = createServer((request, response) => receive(request, response).catch(() => response.destroy()))
server.listen(PORT, '127.0.0.1', () => console.log(`port ${server.address().port}`))
