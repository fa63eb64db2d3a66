import { request } from 'node:https'
import { publicLookup } from './public-address.ts'

/** Posts JSON to an address and answers the status. */
export type Post = (url: string, body: string) => Promise<number>

const patienceMs = 10_000

/**
 * Posts to a public https address: one connection, no redirect followed, the answer's body thrown away.
 * @throws Error when it cannot be reached, takes too long or leads to an address that is not public
 */
export const postToPublic: Post = (url, body) =>
  new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: 'POST',
        lookup: publicLookup,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'meridian/1',
        },
        signal: AbortSignal.timeout(patienceMs),
      },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
