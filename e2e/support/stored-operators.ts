import type { OperatorRole } from '@meridian/contracts'
import { ask, askOne } from './database.ts'
import { passTime } from './pass-time.ts'
import { world } from './world.ts'

/** As if the operator's last code lay far back: within half a minute the console takes each code once. */
export const letCodesPass = (email: string) =>
  ask('UPDATE operators SET totp_step = NULL WHERE email = $1', [email])

const ofOperator = 'operator_id = (SELECT id FROM operators WHERE email = $1)'

/** As if the operator had shown the second factor and the password just now, in each of their sessions. */
export const keepProven = (email: string) =>
  ask(
    `UPDATE operator_sessions SET proven_at = business_now(), password_proven_at = business_now() WHERE ${ofOperator}`,
    [email],
  )

/** The proofs of a session hold for ten minutes. */
const proofsPass = () => passTime({ minutes: 11 })

/** Time passes until the operator's password counts no more; their second factor they have shown just now. */
export async function letPasswordPass(email: string): Promise<void> {
  await proofsPass()
  await ask(`UPDATE operator_sessions SET proven_at = business_now() WHERE ${ofOperator}`, [email])
}

/** Time passes until the operator's second factor counts no more; their password they have given just now. */
export async function letProofPass(email: string): Promise<void> {
  await proofsPass()
  await ask(`UPDATE operator_sessions SET password_proven_at = business_now() WHERE ${ofOperator}`, [email])
}

/** As if the operator's sessions had shown the names of users, while something is done. */
export async function withNames(email: string, done: () => Promise<void>): Promise<void> {
  const set = (at: string) =>
    ask(
      `UPDATE operator_sessions SET names_revealed_at = ${at}, names_reason = CASE WHEN ${at} IS NULL THEN NULL ELSE 'looks' END
       WHERE ${ofOperator}`,
      [email],
    )
  await set('business_now()')
  try {
    await done()
  } finally {
    await set('NULL::timestamptz')
  }
}

type Factor = { confirmedAt: string; trustedFrom: string }

/** As if the operator's authenticator had been taken away elsewhere, while something is done. */
export async function withoutAuthenticator(email: string, done: () => Promise<void>): Promise<void> {
  const { confirmedAt, trustedFrom } = await askOne<Factor>(
    `SELECT totp_confirmed_at::text AS "confirmedAt", factor_trusted_from::text AS "trustedFrom"
     FROM operators WHERE email = $1`,
    email,
  )
  const set = (confirmed: string | null, trusted: string | null) =>
    ask(
      'UPDATE operators SET totp_confirmed_at = $2::timestamptz, factor_trusted_from = $3::timestamptz WHERE email = $1',
      [email, confirmed, trusted],
    )
  await set(null, null)
  try {
    await done()
  } finally {
    await set(confirmedAt, trustedFrom)
  }
}

/** As if the operator, who had worked without an authenticator, had set one up just now: it proves nothing yet. */
export const letFactorWait = (email: string) =>
  ask(
    `UPDATE operators SET sealed_totp = '\\x00', totp_confirmed_at = business_now(),
       factor_trusted_from = business_now() + interval '24 hours' WHERE email = $1`,
    [email],
  )

/** As if the operator had once signed in with the company's account. */
export const bindToCompany = (email: string) =>
  ask(
    `UPDATE operators SET identity_issuer = 'https://id.example.com', identity_subject = email,
       identity_trusted_from = business_now() WHERE email = $1`,
    [email],
  )

/** As if the operator had been hired like the viewer, and with the viewer's password. */
export async function plantOperator({ email, role }: { email: string; role: OperatorRole }) {
  const { email: model, password } = world().operators.viewer
  await askOne(
    `INSERT INTO operators (id, email, name, role, password_hash)
     SELECT gen_random_uuid(), $2, $3::text, $3::operator_role, password_hash
     FROM operators WHERE email = $1 RETURNING id`,
    ...[model, email, role],
  )
  return { email, password }
}

/** As if the operator had left. */
export const letGo = (email: string) =>
  ask('UPDATE operators SET disabled_at = business_now() WHERE email = $1', [email])

/** The id under which the staff knows an operator. */
export async function staffId(email: string): Promise<string> {
  const { id } = await askOne<{ id: string }>('SELECT id FROM operators WHERE email = $1', email)
  return id
}

/** As if an operator had kept a view of a list, unless they already have. */
export const plantView = ({ ownerEmail, page, query }: Record<'ownerEmail' | 'page' | 'query', string>) =>
  ask(
    `INSERT INTO saved_views (id, operator_id, page, name, query)
     SELECT gen_random_uuid(), id, $2, $3, $3 FROM operators WHERE email = $1 ON CONFLICT DO NOTHING`,
    [ownerEmail, page, query],
  )

/** The name that a note mentions this operator by: namesakes go by their address. */
export const handleOf = (email: string) =>
  askOne<{ name: string }>(
    `SELECT CASE WHEN count(*) > 1 THEN $1 ELSE min(name) END AS name FROM operators
     WHERE disabled_at IS NULL AND lower(name) = (SELECT lower(name) FROM operators WHERE email = $1)`,
    email,
  )

/** How many mentions in notes on this thing were not seen yet, whomever they name. */
export async function unseenOn(subjectId: string): Promise<number> {
  const rows = await ask(
    `SELECT FROM note_mentions m JOIN notes n ON n.id = m.note_id WHERE n.subject_id = $1 AND m.seen_at IS NULL`,
    [subjectId],
  )
  return rows.length
}
