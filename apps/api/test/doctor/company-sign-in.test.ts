import { afterEach, expect, test } from 'vitest'
import { expectFault, faultsOf, openDoctoredWorld, startStub } from '../world/doctored-world.ts'
import { startIdentityProvider } from '../world/identity-provider.ts'
import { tamper } from '../world/tamper.ts'
import { useOpened } from '../world/use-opened.ts'

const doctored = useOpened(openDoctoredWorld)
const provider = useOpened(() => startIdentityProvider('http://127.0.0.1:3999'))
const about = 'company sign-in'
const keeper = 'first@example.com'

const examine = async (more: Record<string, string> = {}) =>
  (
    await doctored.examine({
      ...provider.environment,
      CONSOLE_URL: doctored.environment['CONSOLE_URL'] ?? '',
      ...more,
    })
  ).filter((finding) => finding.about === about)
const off = { OIDC_PASSWORDS: keeper }

afterEach(() =>
  tamper(
    doctored.world,
    `UPDATE operators SET role = 'owner', disabled_at = NULL, must_change_password = false, identity_issuer = NULL,
      identity_subject = NULL, identity_trusted_from = NULL, totp_confirmed_at = business_now(), factor_trusted_from = business_now()
     WHERE email = '${keeper}'`,
  ),
)

test('is well where the provider answers and one owner keeps a password', async () => {
  expect((await examine()).map(({ level }) => level)).toEqual(['well'])
  expect((await examine(off)).map(({ level }) => level)).toEqual(['well', 'well'])
})

test.each([
  ['is closed', 'disabled_at = business_now()', /names no owner who is enabled/],
  ['is an owner no more', `role = 'finance'`, /names no owner who is enabled/],
  ['has another address', `email = 'moved@example.com'`, /names no owner who is enabled/],
  ['never chose a password', 'must_change_password = true', /still has their first password/],
  [
    'is bound to the company',
    `identity_issuer = 'i', identity_subject = 's', identity_trusted_from = business_now()`,
    /is bound to the company/,
  ],
])('finds that the owner who keeps a password %s', async (_what, change, says) => {
  await tamper(doctored.world, `UPDATE operators SET ${change} WHERE email = '${keeper}'`)
  const seen = await examine(off)
  await tamper(doctored.world, `UPDATE operators SET email = '${keeper}' WHERE email = 'moved@example.com'`)
  expectFault(seen, { about, says, mend: /./ })
})

test('warns of an owner who keeps a password and has no authenticator', async () => {
  await tamper(
    doctored.world,
    `UPDATE operators SET totp_confirmed_at = NULL, factor_trusted_from = NULL WHERE email = '${keeper}'`,
  )
  expect((await examine(off)).map(({ level }) => level)).toEqual(['well', 'warning'])
})

test('warns of a provider that does not answer, or that calls itself otherwise', async () => {
  await using other = await startStub((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: 'https://other.example' }))
  })
  for (const issuer of [other.url, 'http://127.0.0.1:9']) {
    const seen = await examine({ OIDC_ISSUER: issuer })
    expect(faultsOf(seen)).toEqual([])
    expect(seen).toEqual([
      expect.objectContaining({ level: 'warning', says: expect.stringMatching(/nobody can sign in with/) }),
    ])
  }
})
