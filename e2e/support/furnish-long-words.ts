import { ask } from './database.ts'
import { plantOperator } from './stored-operators.ts'

/** An operator whose address is longer than a column of any list, and the act whose name is the longest, by them. */
export async function furnishLongWords() {
  const email = 'alexandra.wilhelmina.of.the.northern.shore@customers.wearables.example.com'
  if ((await ask('SELECT FROM operators WHERE email = $1', [email])).length > 0) return
  await plantOperator({ email, role: 'viewer' })
  await ask(
    `INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, address, request_id)
     SELECT id, 'diagnosis.request', 'diagnosis_version', '2', '2001:db8:85a3::8a2e:370:7334', gen_random_uuid()::text
     FROM operators WHERE email = $1`,
    [email],
  )
}
