import { type Judge, judgeBy } from '../interface/judge-answer.ts'

const judged = new Map<string, () => Promise<unknown>>()
let judge: Promise<Judge> | null = null

/** From now on every answer of this origin must be as the document says, which is the same wherever it is read. */
export function judgeOrigin(origin: string, document: () => Promise<unknown>): void {
  judged.set(origin, document)
}

/** Not the interface of the mini-program: the platform's endpoint, and pages. */
const apart = /^\/api\/v1\/(payment\/notify|docs)/

type Given = { url: string; method: string; status: number; headers: Headers; body: unknown }

/** @throws Error naming what the document does not allow */
export async function judgeAnswer({ url, method, status, headers, body }: Given): Promise<void> {
  const { origin, pathname } = new URL(url)
  const document = judged.get(origin)
  if (!document || method === 'HEAD' || !pathname.startsWith('/api/v1/') || apart.test(pathname)) return
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
