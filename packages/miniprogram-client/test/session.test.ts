import { expect, test } from 'vitest'
import { createClient, isProblem, type PhoneRequest } from '../src/index.ts'
import { subscription } from './full-answers.ts'
import { plainPhone } from './plain-phone.ts'

const storedAt = 'meridian.tokens'

/** A phone whose tokens are worn out, and an API whose answer to one path is held back until it is let go. */
function holdBack(heldPath: string) {
  const kept = new Map([[storedAt, JSON.stringify({ access_token: 'worn', refresh_token: 'r0' })]])
  const revoked: string[] = []
  let issued = 0
  let arrive = (): void => undefined
  let letGo = (): void => undefined
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })

  function answer({ url, headers, body }: PhoneRequest) {
    if (url.endsWith('/auth/login') || url.endsWith('/auth/refresh')) {
      issued += 1
      return { status: 200, body: { access_token: `a${issued}`, refresh_token: `r${issued}` } }
    }
    if (url.endsWith('/auth/logout')) {
      revoked.push(JSON.parse(body ?? '').refresh_token)
      return { status: 204, body: '' }
    }
    const worn = headers['authorization'] === 'Bearer worn'
    return worn ? { status: 401, body: { code: 'token_expired' } } : { status: 200, body: subscription() }
  }

  const phone = plainPhone(kept, async (request) => {
    const answered = answer(request)
    if (request.url.endsWith(heldPath)) {
      arrive()
      await held
    }
    return { headers: {}, ...answered }
  })
  return {
    client: createClient({ baseUrl: 'http://api', phone }),
    kept,
    revoked,
    arrived,
    letGo: () => letGo(),
  }
}

const codeOf = (work: Promise<unknown>) =>
  work.catch((error: unknown) => (isProblem(error) ? error.code : error))

test.each([
  ['a renewal', '/auth/refresh', ['r0', 'r1']],
  ['a call', '/subscription', ['r0']],
])(
  'a logout is not undone by %s that was under way, and what that brought is revoked',
  async (_, path, gone) => {
    const { client, kept, revoked, arrived, letGo } = holdBack(path)
    const call = codeOf(client.subscription())
    await arrived
    await client.logOut()
    letGo()
    expect(await call).toBe('unauthenticated')
    expect(kept.get(storedAt)).toBe('logged out')
    expect(revoked).toEqual(gone)
  },
)

test('who logs in after a logout gets tokens of their own, whatever an older renewal brings', async () => {
  const { client, kept, revoked, arrived, letGo } = holdBack('/auth/refresh')
  const call = codeOf(client.subscription())
  await arrived
  await client.logOut()
  await client.logIn()
  const own = kept.get(storedAt)
  letGo()
  expect(await call).toBe('unauthenticated')
  expect([kept.get(storedAt), revoked]).toEqual([own, ['r0', 'r1']])
  expect(await client.subscription()).toEqual(subscription())
})
