import type { OperatorRole } from '@meridian/contracts'

/** How operators sign in by the company's own identity (OpenID Connect). */
export type IdentitySettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Where the provider sends the browser back to: the console's own address. */
  redirectUri: string
  /** What the company calls it; shown on the button. */
  name: string | null
  scopes: string
  /** Which claim lists the groups of a person. */
  groupsClaim: string
  /** Which group has which role: of several the first counts. */
  roles: readonly { group: string; role: OperatorRole }[]
  /** Whether somebody with a role by their groups gets an account at their first sign-in. */
  provision: boolean
  /** What in a token says that a second factor was used. */
  secondFactors: readonly { claim: 'amr' | 'acr'; value: string }[]
  /** The e-mail of the one owner who still signs in by password; null where everybody may. */
  breakGlass: string | null
}
