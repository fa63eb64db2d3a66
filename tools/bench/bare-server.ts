import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inheritedSockets, listenOn } from '@meridian/process/inherited-sockets'
import Fastify from 'fastify'

/** The floor of every notification endpoint: Fastify, one verification of the bytes, 204. */
const [keyFile = ''] = process.argv.slice(2)
const key = createPublicKey(readFileSync(keyFile, 'utf8'))

const app = Fastify()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)
app.get('/', async () => 'ready')
app.post('/api/v1/payment/notify', async ({ headers, body }, reply) => {
  if (!Buffer.isBuffer(body)) return reply.code(400).send()
  const {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': signature,
  } = headers
  const message = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')])
  const held = verify('RSA-SHA256', message, key, Buffer.from(String(signature), 'base64'))
  return reply.code(held ? 204 : 401).send()
})
await app.listen(listenOn(inheritedSockets(process.env).http, { host: '127.0.0.1', port: 0 }))
