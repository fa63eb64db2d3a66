import { describe, expect, test } from 'vitest'
import { hire, openConsole, problemOf } from '../world/console.ts'
import { nothing, person, useIdentityWorld } from '../world/identity-desk.ts'
import type { Forgery } from '../world/identity-provider.ts'

const { world, provider, lines, given, newConsole, signIn, sessionOf, rowOf, lastFailure } =
  useIdentityWorld()

describe('what the API verifies itself', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const claimWrong = 'JWTClaimValidationFailed'
  test.each<[string, string, () => Forgery]>([
    ['another issuer', claimWrong, () => ({ claims: { iss: 'https://issuer.example' } })],
    ['another audience', claimWrong, () => ({ claims: { aud: 'another-client' } })],
    ['several audiences and no authorised party', 'azp', () => ({ claims: { aud: ['meridian', 'other'] } })],
    ['another authorised party', 'azp', () => ({ claims: { azp: 'another-client' } })],
    ['another nonce', 'nonce', () => ({ claims: { nonce: 'another-nonce-0123456789' } })],
    ['no nonce', claimWrong, () => ({ claims: { nonce: undefined } })],
    ['a time that is over', 'JWTExpired', () => ({ claims: { iat: now() - 400, exp: now() - 70 } })],
    ['a time that is still to come', claimWrong, () => ({ claims: { iat: now() + 90, exp: now() + 400 } })],
    ['a beginning that is still to come', claimWrong, () => ({ claims: { nbf: now() + 90 } })],
    ['no end', claimWrong, () => ({ claims: { exp: undefined } })],
    ['an age of a day', 'JWTExpired', () => ({ claims: { iat: now() - 86_400 } })],
    ['a sign-in that is still to come', 'auth_time', () => ({ claims: { auth_time: now() + 3600 } })],
    ['no subject', claimWrong, () => ({ claims: { sub: undefined } })],
    ['no signature', 'JOSEAlgNotAllowed', () => ({ algorithm: 'none' })],
    ['the secret of the client as its key', 'JOSEAlgNotAllowed', () => ({ algorithm: 'HS256' })],
    ['a key that is not the provider’s', 'JWSSignatureVerificationFailed', () => ({ key: 'unknown' })],
  ])('an ID token with %s opens nothing (%s)', async (_what, reason, forged) => {
    lines.length = 0
    expect(await problemOf(signIn(person('forged'), { forged: forged() }))).toBe('invalid_credentials')
    expect(await lastFailure()).toEqual({ reason: 'identity_refused', email: null })
    expect(await rowOf('forged@example.com')).toBe(undefined)
    expect(lines.map((line): { component?: string } => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ component: 'identity', reason }),
    )
  })

  test.each<[string, () => Forgery]>([
    ['a little behind', () => ({ claims: { iat: now() - 350, exp: now() - 30, auth_time: now() - 350 } })],
    ['a little ahead', () => ({ claims: { iat: now() + 30, nbf: now() + 30, auth_time: now() + 30 } })],
  ])('a provider whose clock is %s is believed', async (_what, forged) => {
    expect((await signIn(person('skewed'), { forged: forged() })).next).toBe(null)
  })

  test('the same one, altered in nothing, does', async () => {
    expect((await signIn(person('honest'), { forged: {} })).next).toBe(null)
  })

  test('a code is worth nothing a second time, with another verifier or another nonce', async () => {
    const brought = await provider.codeFor(person('twice'))
    const send = (more: Partial<typeof brought> = {}) =>
      newConsole().operator.signInByIdentity.mutate({ ...brought, ...more })
    await send()
    expect(await problemOf(send())).toBe('invalid_credentials')
    const other = 'x'.repeat(43)
    for (const name of ['codeVerifier', 'nonce']) {
      const fresh = await provider.codeFor(person('twice'))
      const call = newConsole().operator.signInByIdentity.mutate({ ...fresh, [name]: other })
      expect(await problemOf(call)).toBe('invalid_credentials')
    }
  })

  test('a key that the provider took up meanwhile is found, and the one it gave up opens nothing', async () => {
    await sessionOf(person('rotated'))
    await provider.rotateKey()
    await sessionOf(person('rotated'))
    const old = signIn(person('rotated'), { forged: { key: 'given up' } })
    expect(await problemOf(old)).toBe('invalid_credentials')
    expect(lines.map((line): object => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ component: 'identity', reason: 'JWKSNoMatchingKey' }),
    )
  })

  test('a token of more groups than 32 KiB hold, or whose groups stand elsewhere, gives no role', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => `00000000-0000-4000-8000-${at}`.padEnd(40, '0'))
    const flooded = signIn(person('flooded'), { forged: { claims: { groups: [...many, 'shop-guests'] } } })
    expect(await problemOf(flooded)).toBe('invalid_credentials')
    const elsewhere = { groups: undefined, _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }
    const { groups: _groups, ...who } = person('elsewhere')
    expect(await problemOf(signIn(who, { forged: { claims: elsewhere } }))).toBe('forbidden')
    expect(await rowOf('elsewhere@example.com')).toBe(undefined)
  })

  test('what the userinfo says of its own e-mail holds for no other one that stands in the ID token', async () => {
    await hire(world, { email: 'victim@example.com', role: 'viewer' })
    const forged = { claims: { email: 'victim@example.com', email_verified: undefined } }
    const { session } = await sessionOf(person('attacker'), forged)
    expect(session.operator.email).toBe('attacker@example.com')
    expect((await rowOf('victim@example.com'))?.['subject']).toBe(null)
  })

  test('where neither says both, the e-mail is not verified', async () => {
    await hire(world, { email: 'half@example.com', role: 'viewer' })
    const { email: _email, ...who } = person('half')
    const forged = { claims: { email: 'half@example.com', email_verified: undefined } }
    expect(await problemOf(signIn(who, { forged }))).toBe('forbidden')
    expect(await lastFailure()).toEqual({ reason: 'identity_not_admitted', email: 'half@example.com' })
    expect((await rowOf('half@example.com'))?.['subject']).toBe(null)
  })

  test('nothing that opens anything stands in a line of the log', async () => {
    lines.length = 0
    const good = await provider.codeFor(person('logged'))
    await newConsole().operator.signInByIdentity.mutate(good)
    await problemOf(newConsole().operator.signInByIdentity.mutate(good))
    await problemOf(signIn(person('logged'), { forged: { algorithm: 'none' } }))
    const text = lines.join('\n')
    expect(text).toContain('a sign-in did not verify')
    const secrets = [...Object.values(good), provider.environment.OIDC_CLIENT_SECRET, ...given]
    expect(given.length).toBeGreaterThanOrEqual(2)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  test('thirty sign-ins a minute of one network that fail are all that the provider is asked for', async () => {
    const console = openConsole(world, { browser: { address: '192.0.2.77' } })
    const bring = () => console.operator.signInByIdentity.mutate({ ...nothing, code: 'made-up' })
    for (let time = 0; time < 30; time++) expect(await problemOf(bring())).toBe('invalid_credentials')
    expect(await problemOf(bring())).toBe('rate_limited')
    expect((await signIn(person('elsewhere', { groups: ['shop-guests'] }))).next).toBe(null)
  })

  test('without the console’s token there is nothing at the door', async () => {
    const answer = await fetch(`${world.url}/trpc/operator.signInByIdentity`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(404)
  })
})
