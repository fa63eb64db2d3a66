import { describe, expect, test } from 'vitest'
import { problemOf } from '../world/console.ts'
import { person, useIdentityWorld } from '../world/identity-desk.ts'
import type { Forgery } from '../world/identity-provider.ts'

const { world, provider, lines, newConsole, signIn, sessionOf, rowOf, lastFailure } = useIdentityWorld()

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
    ['a time that is over', 'JWTExpired', () => ({ claims: { iat: now() - 400, exp: now() - 120 } })],
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
