import { OperatorRole } from '@meridian/contracts'
import type { IdentitySettings } from '../identity/identity-settings.ts'

type Environment = Readonly<Record<string, string>>
type IdentityConfig = { settings: IdentitySettings | null; problems: string[] }

const required = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
const optional = [
  'OIDC_NAME',
  'OIDC_SCOPES',
  'OIDC_GROUPS_CLAIM',
  'OIDC_ROLES',
  'OIDC_PROVISION',
  'OIDC_SECOND_FACTOR',
  'OIDC_PASSWORDS',
] as const
type Name = (typeof required)[number] | (typeof optional)[number]

const listOf = (text: string | undefined): string[] =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean) ?? []

/** `name=value`, split at the last `=` for groups (whose names may hold one), at the first for factors. */
function pairOf(text: string, at: 'first' | 'last'): [string, string] | null {
  const place = at === 'first' ? text.indexOf('=') : text.lastIndexOf('=')
  const pair: [string, string] = [text.slice(0, place).trim(), text.slice(place + 1).trim()]
  return place > 0 && pair.every(Boolean) ? pair : null
}

function rolesIn(text: string | undefined) {
  return listOf(text).map((entry) => {
    const pair = pairOf(entry, 'last')
    const role = OperatorRole.safeParse(pair?.[1])
    return pair && role.success ? { group: pair[0], role: role.data } : null
  })
}

function factorsIn(text: string | undefined): (IdentitySettings['secondFactors'][number] | null)[] {
  return listOf(text).map((entry) => {
    const [claim, value] = pairOf(entry, 'first') ?? []
    return value && (claim === 'amr' || claim === 'acr') ? { claim, value } : null
  })
}

const known = <Value>(values: readonly (Value | null)[]): Value[] => values.flatMap((value) => value ?? [])

const isEmail = (text: string) => /^[^\s@,]+@[^\s@,]+$/.test(text)

type Rule = { name: Name; holds: (value: string) => boolean; rule: string }

const rules: readonly Rule[] = [
  {
    name: 'OIDC_CLIENT_ID',
    holds: (value) => /^[\x21-\x7e]{1,255}$/.test(value),
    rule: 'must be 1 to 255 characters without spaces',
  },
  { name: 'OIDC_NAME', holds: (value) => value.length <= 40, rule: 'must be 40 characters or fewer' },
  {
    name: 'OIDC_SCOPES',
    holds: (value) => /^[\x21-\x7e ]{1,255}$/.test(value) && value.split(' ').includes('openid'),
    rule: 'must be scopes with spaces between, openid among them',
  },
  {
    name: 'OIDC_ROLES',
    holds: (value) => !rolesIn(value).includes(null),
    rule: `must be comma-separated pairs group=role of ${OperatorRole.options.join(', ')}`,
  },
  {
    name: 'OIDC_PROVISION',
    holds: (value) => value === 'off' || value === 'groups',
    rule: 'must be off or groups',
  },
  {
    name: 'OIDC_SECOND_FACTOR',
    holds: (value) => !factorsIn(value).includes(null),
    rule: 'must be comma-separated amr=value or acr=value',
  },
  {
    name: 'OIDC_PASSWORDS',
    holds: (value) => value === 'on' || isEmail(value),
    rule: 'must be on, or the e-mail of the one owner who keeps a password',
  },
]

function issuerProblem(issuer: string | undefined, isSecure: (address: string) => boolean): string[] {
  if (!issuer) return []
  const isPlain =
    URL.canParse(issuer) && /^https?:/.test(issuer) && !/[?#]/.test(issuer) && new URL(issuer).username === ''
  if (isPlain && isSecure(issuer)) return []
  return ['OIDC_ISSUER: must be an https address without query (http only for loopback)']
}

/** What does not hold of settings that are given, and what is missing beside them. */
function problemsOf(environment: Environment, isSecure: (address: string) => boolean): string[] {
  const broken = rules.flatMap(({ name, holds, rule }) => {
    const value = environment[name]
    return value !== undefined && !holds(value) ? [`${name}: ${rule}`] : []
  })
  const missing = required.filter((name) => !environment[name])
  const mapless =
    environment['OIDC_PROVISION'] === 'groups' && !environment['OIDC_ROLES']
      ? ['OIDC_ROLES: is required when OIDC_PROVISION is groups']
      : []
  return [
    ...missing.map((name) => `${name}: is required when sign-in by the company's identity is configured`),
    ...issuerProblem(environment['OIDC_ISSUER'], isSecure),
    ...broken,
    ...mapless,
  ]
}

/** The settings of signing in by the company's identity (OpenID Connect); null where none of them is given. */
export function readIdentityConfig(
  environment: Environment,
  { isSecure, consoleUrl }: { isSecure: (address: string) => boolean; consoleUrl: string },
): IdentityConfig {
  if ([...required, ...optional].every((name) => !environment[name])) return { settings: null, problems: [] }
  const problems = problemsOf(environment, isSecure)
  if (problems.length > 0) return { settings: null, problems }
  const passwords = environment['OIDC_PASSWORDS'] ?? 'on'
  return {
    settings: {
      issuer: environment['OIDC_ISSUER'] ?? '',
      clientId: environment['OIDC_CLIENT_ID'] ?? '',
      clientSecret: environment['OIDC_CLIENT_SECRET'] ?? '',
      redirectUri: `${consoleUrl.replace(/\/$/, '')}/api/auth/callback/company`,
      name: environment['OIDC_NAME'] ?? null,
      scopes: environment['OIDC_SCOPES'] ?? 'openid email profile',
      groupsClaim: environment['OIDC_GROUPS_CLAIM'] ?? 'groups',
      roles: known(rolesIn(environment['OIDC_ROLES'])),
      provision: environment['OIDC_PROVISION'] === 'groups',
      secondFactors: known(factorsIn(environment['OIDC_SECOND_FACTOR'])),
      breakGlass: passwords === 'on' ? null : passwords.toLowerCase(),
    },
    problems,
  }
}
