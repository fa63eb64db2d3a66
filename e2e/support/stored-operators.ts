import { ask, askOne } from './database.ts'

/** As if the operator's last code lay far back: within half a minute the console takes each code once. */
export const letCodesPass = (email: string) =>
  ask('UPDATE operators SET totp_step = NULL WHERE email = $1', [email])

const ofOperator = 'operator_id = (SELECT id FROM operators WHERE email = $1)'

/** As if the operator had shown the second factor and the password just now, in each of their sessions. */
export const keepProven = (email: string) =>
  ask(`UPDATE operator_sessions SET proven_at = now(), password_proven_at = now() WHERE ${ofOperator}`, [
    email,
  ])

/** As if the operator had given the password an hour ago. */
export const letPasswordPass = (email: string) =>
  ask(`UPDATE operator_sessions SET password_proven_at = now() - interval '1 hour' WHERE ${ofOperator}`, [
    email,
  ])

/** As if the operator had shown the second factor an hour ago. */
export const letProofPass = (email: string) =>
  ask(`UPDATE operator_sessions SET proven_at = now() - interval '1 hour' WHERE ${ofOperator}`, [email])

/** As if the operator's authenticator had been taken away elsewhere, while something is done. */
export async function withoutAuthenticator(email: string, done: () => Promise<void>): Promise<void> {
  const set = (at: string) =>
    ask(`UPDATE operators SET totp_confirmed_at = ${at}, factor_trusted_from = ${at} WHERE email = $1`, [
      email,
    ])
  await set('NULL')
  try {
    await done()
  } finally {
    await set(`now() - interval '2 days'`)
  }
}

/** As if the operator, who had worked without an authenticator, had set one up just now: it proves nothing yet. */
export const letFactorWait = (email: string) =>
  ask(
    `UPDATE operators SET sealed_totp = '\\x00', totp_confirmed_at = now(),
       factor_trusted_from = now() + interval '24 hours' WHERE email = $1`,
    [email],
  )

/** As if the operator had left. */
export const letGo = (email: string) =>
  ask('UPDATE operators SET disabled_at = now() WHERE email = $1', [email])

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
