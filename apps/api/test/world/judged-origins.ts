import { type Judge, judgeBy } from '../interface/judge-answer.ts'

const judges = new Map<string, () => Promise<Judge>>()

/** From now on every answer of this origin must be as its document says. */
export function judgeOrigin(origin: string, document: () => Promise<unknown>): void {
  let judge: Promise<Judge> | null = null
  judges.set(origin, () => {
    judge ??= document().then(judgeBy)
    return judge
  })
}

/** Not the interface of the mini-program: the platform's endpoint, and pages. */
const apart = /^\/api\/v1\/(payment\/notify|docs)/

type Given = { url: string; method: string; status: number; headers: Headers; body: unknown }

/** @throws Error naming what the document does not allow */
export async function judgeAnswer({ url, method, status, headers, body }: Given): Promise<void> {
  const { origin, pathname } = new URL(url)
  const judge = judges.get(origin)
  if (!judge || method === 'HEAD' || !pathname.startsWith('/api/v1/') || apart.test(pathname)) return
  const complaints = (await judge())({
    method,
    path: pathname,
    status,
    type: headers.get('content-type'),
    body,
  })
  if (complaints.length > 0) throw new Error(`The answer is not as documented:\n${complaints.join('\n')}`)
}
