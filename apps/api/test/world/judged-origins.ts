import { type Judge, judgeBy } from '../interface/judge-answer.ts'

const judged = new Map<string, () => Promise<unknown>>()
let judge: Promise<Judge> | null = null

/** From now on every answer of this origin must be as the document says, which is the same wherever it is read. */
export function judgeOrigin(origin: string, document: () => Promise<unknown>): void {
  judged.set(origin, document)
}

/** Not the interface of the mini-program: the platform's endpoint, and pages. */
const apart = /^\/api\/v1\/(payment\/notify|docs)/

/** What every answer says but the two pages, which have policies of their own. */
function complaintsOfHeaders({ pathname }: URL, headers: Headers): string[] {
  const policy = headers.get('content-security-policy') ?? ''
  const wanted = apart.test(pathname)
    ? /frame-ancestors 'none'/
    : /^default-src 'none'; frame-ancestors 'none'$/
  return [
    ...(wanted.test(policy) ? [] : [`its policy is "${policy}"`]),
    ...(headers.get('strict-transport-security') === 'max-age=31536000; includeSubDomains'
      ? []
      : ['it asks for no TLS']),
  ]
}

type Given = { url: string; method: string; status: number; headers: Headers; body: unknown }

/** @throws Error naming what the document does not allow, or what every answer has and this one has not */
export async function judgeAnswer({ url, method, status, headers, body }: Given): Promise<void> {
  const { origin, pathname } = new URL(url)
  const document = judged.get(origin)
  if (!document) return
  const missing = complaintsOfHeaders(new URL(url), headers)
  if (missing.length > 0) throw new Error(`${method} ${pathname} ${status}: ${missing.join(', ')}`)
  if (method === 'HEAD' || !pathname.startsWith('/api/v1/') || apart.test(pathname)) return
  judge ??= document().then(judgeBy)
  const complaints = (await judge)({
    method,
    path: pathname,
    status,
    type: headers.get('content-type'),
    body,
  })
  if (complaints.length > 0) throw new Error(`The answer is not as documented:\n${complaints.join('\n')}`)
}
