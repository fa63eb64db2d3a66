import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { switchingAnswer } from './receiver.ts'

/** What a bucket of ours is opened with. */
export const storeKey = { accessKeyId: 'AKIATESTSTORE', secretAccessKey: 'test/secret+key0123456789' }
const region = 'cn-north-1'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const Authorization = z
  .string()
  .transform(
    (text) =>
      text.match(
        /^AWS4-HMAC-SHA256 Credential=(?<who>\S+), SignedHeaders=(?<headers>\S+), Signature=(?<signature>[0-9a-f]{64})$/,
      )?.groups,
  )
  .pipe(z.object({ who: z.string(), headers: z.string(), signature: z.string() }))

/** What is wrong with a request, by the steps of AWS Signature Version 4 as their specification counts them. */
function faultOf(request: IncomingMessage, body: Buffer): string | null {
  const { who, headers, signature } = Authorization.parse(request.headers.authorization)
  const headerOf = (name: string) => String(request.headers[name] ?? '').trim()
  const [date = '', time] = [headerOf('x-amz-date').slice(0, 8), headerOf('x-amz-date')]
  const instant = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const scope = `${date}/${region}/s3/aws4_request`
  if (who !== `${storeKey.accessKeyId}/${scope}`) return 'InvalidAccessKeyId'
  if (!(Math.abs(Date.now() - instant) < 900_000)) return 'RequestTimeTooSkewed'
  if (!headers.split(';').includes('host')) return 'AuthorizationHeaderMalformed'
  if (headerOf('x-amz-content-sha256') !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const lines = headers.split(';').map((name) => `${name}:${headerOf(name)}\n`)
  const asked = [request.method, request.url, '', lines.join(''), headers, sha256(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(asked)].join('\n')
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${storeKey.secretAccessKey}`,
  )
  return hmac(key, toSign).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}

/** A store with the interface of Amazon S3: it keeps an object whole or not at all, and only what is signed. */
export async function startObjectStore() {
  const objects = new Map<string, { body: Buffer; type: string | undefined }>()
  const asked: { path: string; answer: string }[] = []
  const refusal = null as { status: number; code: string } | null
  const store = { objects, asked, refusal, breaksOff: false, switches: false }
  const server = createServer(async (request, response) => {
    if (store.breaksOff) {
      asked.push({ path: request.url ?? '', answer: 'broken off' })
      request.once('data', () => request.destroy())
      return
    }
    const body = await buffer(request).catch(() => null)
    if (body === null) return
    if (store.switches) {
      asked.push({ path: request.url ?? '', answer: 'switching' })
      request.socket.write(switchingAnswer)
      return
    }
    const fault =
      store.refusal?.code ?? (request.method === 'PUT' ? faultOf(request, body) : 'MethodNotAllowed')
    asked.push({ path: request.url ?? '', answer: fault ?? 'kept' })
    if (fault === null) objects.set(request.url ?? '', { body, type: request.headers['content-type'] })
    const answer = fault === null ? '' : `<Error><Code>${fault}</Code><Message>no</Message></Error>`
    response.writeHead(fault === null ? 200 : (store.refusal?.status ?? 403)).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = z.object({ port: z.int() }).parse(server.address())
  return Object.assign(store, {
    place: {
      endpoint: `http://127.0.0.1:${address.port}`,
      region,
      bucket: 'books',
      prefix: 'daily/',
      pathStyle: true,
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  })
}
