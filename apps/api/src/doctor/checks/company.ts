import { column, execute, Prisma, query } from '@meridian/db'
import { type Check, type Examined, fault, type Seen, warning, well } from '../finding.ts'

const keeperColumns = {
  role: column.text,
  disabled: column.boolean,
  proven: column.boolean,
  bound: column.boolean,
  mustChange: column.boolean,
}

const readKeeper = ({ services: { database } }: Examined, email: string) =>
  execute(
    database.pool,
    query(
      null,
      Prisma.sql`SELECT role::text AS role, disabled_at IS NOT NULL AS disabled, totp_confirmed_at IS NOT NULL AS proven,
        identity_subject IS NOT NULL AS bound, must_change_password AS "mustChange" FROM operators WHERE email = ${email}`,
      keeperColumns,
    ),
  )

/** Whether the one owner who keeps a password can come in on the day the provider is away. */
async function judgeKeeper(examined: Examined, email: string): Promise<Seen> {
  const [keeper] = await readKeeper(examined, email)
  if (!keeper || keeper.disabled || keeper.role !== 'owner')
    return fault(
      'passwords are off, and OIDC_PASSWORDS names no owner who is enabled: nobody gets in while the provider is away',
      'name an owner in OIDC_PASSWORDS, or npm run operator:create -- --email … --role owner',
    )
  if (keeper.bound)
    return fault(
      'the owner of OIDC_PASSWORDS is bound to the company’s account, whose password may be one that nobody knows',
      'console, Operators: unbind the company account, reset the password, and sign in with it',
    )
  if (keeper.mustChange)
    return fault(
      'the owner of OIDC_PASSWORDS still has their first password',
      'sign in once and choose another',
    )
  return keeper.proven
    ? well('one owner keeps a password for the day the provider is away')
    : warning(
        'the owner of OIDC_PASSWORDS has no two-step verification',
        'console, My account, set up two-step verification',
      )
}

/** Whether the provider describes itself as the settings name it. */
async function judgeProvider({
  services: { identityProvider },
  config: { identity },
}: Examined): Promise<Seen> {
  const host = identity && new URL(identity.issuer).host
  return (
    identityProvider?.discover().then(
      () => well(`${host} describes itself as OIDC_ISSUER names it`),
      () =>
        warning(
          `${host} does not answer, or not as OIDC_ISSUER names it: nobody can sign in with the company’s account`,
          'open OIDC_ISSUER/.well-known/openid-configuration from this machine; compare its issuer (docs/identity.md)',
        ),
    ) ?? warning('it is not opened', 'npm run doctor')
  )
}

/** Signing in by the company's identity (docs/identity.md). */
export const company: Check = {
  about: 'company sign-in',
  needsDatabase: true,
  look: async (examined) => {
    const { identity } = examined.config
    if (!identity) return [well('operators sign in with passwords of their own')]
    const seen = await judgeProvider(examined)
    return identity.breakGlass ? [seen, await judgeKeeper(examined, identity.breakGlass)] : [seen]
  },
}
