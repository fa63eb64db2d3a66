import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'
import { environmentFor } from '../world/test-world.ts'

const three = {
  OIDC_ISSUER: 'https://id.example.com/realms/shop',
  OIDC_CLIENT_ID: 'meridian',
  OIDC_CLIENT_SECRET: 'secret-of-a-client-0123456789',
}
const configOf = (more: Record<string, string>) =>
  readConfig(environmentFor('postgresql://u@127.0.0.1:1/x_test', 4000, more))

function problemsOf(more: Record<string, string>): readonly string[] {
  try {
    configOf(more)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('the settings of signing in by the company’s identity', () => {
  test('are off where none is given, and have sensible values beside the three that it takes', () => {
    expect(configOf({}).identity).toBe(null)
    expect(configOf({ ...three, CONSOLE_URL: 'https://console.example.com' }).identity).toEqual({
      issuer: three.OIDC_ISSUER,
      clientId: 'meridian',
      clientSecret: three.OIDC_CLIENT_SECRET,
      redirectUri: 'https://console.example.com/api/auth/callback/company',
      name: null,
      scopes: 'openid email profile',
      groupsClaim: 'groups',
      roles: [],
      provision: false,
      secondFactors: [],
      breakGlass: null,
    })
  })

  test('are read as they are given', () => {
    const given = {
      OIDC_ROLES: 'cn=shop,ou=groups=owner, desk=operator',
      OIDC_SECOND_FACTOR: 'amr=mfa,acr=urn:a=b',
      OIDC_PASSWORDS: 'Owner@Example.com',
      OIDC_PROVISION: 'groups',
    }
    expect(problemsOf({ ...three, ...given })).toEqual([
      'OIDC_ROLES: must be comma-separated pairs group=role of viewer, operator, finance, owner',
    ])
    expect(configOf({ ...three, ...given, OIDC_ROLES: 'a=b=owner, desk=operator' }).identity).toMatchObject({
      roles: [
        { group: 'a=b', role: 'owner' },
        { group: 'desk', role: 'operator' },
      ],
      secondFactors: [
        { claim: 'amr', value: 'mfa' },
        { claim: 'acr', value: 'urn:a=b' },
      ],
      provision: true,
      breakGlass: 'owner@example.com',
    })
  })

  test('stop the start where one of the three is missing, whichever is given', () => {
    for (const [name, value] of Object.entries({ ...three, OIDC_PASSWORDS: 'a@example.com' })) {
      const missing = Object.keys(three).filter((other) => other !== name)
      const problems = problemsOf({ [name]: value })
      expect(problems.map((problem) => problem.split(':')[0])).toEqual(missing)
    }
  })

  test.each([
    ['OIDC_ISSUER', 'http://id.example.com'],
    ['OIDC_ISSUER', 'https://id.example.com/?realm=shop'],
    ['OIDC_ISSUER', 'https://user:word@id.example.com'],
    ['OIDC_ISSUER', 'ftp://localhost'],
    ['OIDC_CLIENT_ID', 'with spaces'],
    ['OIDC_NAME', 'x'.repeat(41)],
    ['OIDC_SCOPES', 'email profile'],
    ['OIDC_ROLES', 'staff=emperor'],
    ['OIDC_ROLES', 'owner'],
    ['OIDC_PROVISION', 'on'],
    ['OIDC_SECOND_FACTOR', 'mfa'],
    ['OIDC_SECOND_FACTOR', 'amr='],
    ['OIDC_PASSWORDS', 'off'],
  ])('%s as "%s" stops the start with a line that names it and not what it holds', (name, value) => {
    const problems = problemsOf({ ...three, [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name}: `))
    expect(problems[0]).not.toContain(`"${value}"`)
    expect(problems[0]).not.toContain(three.OIDC_CLIENT_SECRET)
  })

  test('may have http on loopback, and take groups where accounts are made by them', () => {
    expect(problemsOf({ ...three, OIDC_ISSUER: 'http://127.0.0.1:9000' })).toEqual([])
    expect(problemsOf({ ...three, OIDC_PROVISION: 'groups' })).toEqual([
      'OIDC_ROLES: is required when OIDC_PROVISION is groups',
    ])
  })
})
