import { ask } from './database.ts'
import { world } from './world.ts'

/** Of every world the same: planted again, they are there already. */
export const plantedEndpoint = '019ac000-0000-7000-8000-000000000017'
const plantedKey = '019ac000-0000-7000-8000-000000000018'

const endpoint = `
  INSERT INTO webhook_endpoints (id, url, description, types, sealed_secret, created_by, failing_since, last_success_at)
  SELECT '${plantedEndpoint}', 'https://crm.example.com/hooks/meridian', 'CRM', '{order.paid,order.refunded,subscription.changed}',
    '\\x00', id, business_now() - interval '20 minutes', business_now() - interval '1 hour'
  FROM operators WHERE email = $1 ON CONFLICT DO NOTHING RETURNING id`

const happened = `
  INSERT INTO events (event_id, type, subject_kind, subject, seq, body)
  SELECT 'evt_01KB00000000000000000000' || lpad(n::text, 2, '0'), type, 'order', 'PLANTED', n,
    json_build_object('type', type, 'timestamp', '2026-11-28T12:00:00.000Z', 'data',
      json_build_object('seq', n, 'order', json_build_object('out_trade_no', 'PLANTED', 'amount_fen', 2900)))::text
  FROM (VALUES (1, 'order.paid'), (2, 'order.refunded'), (3, 'order.refunded')) told (n, type) RETURNING id, type, subject, seq`

/**
 * A key of another system, and an endpoint with a delivery in each state: no worker runs beside the journeys, and what
 * waits is not due for hours.
 */
export async function plantDevelopers(): Promise<void> {
  const owner = world().operators.owner.email
  await ask(
    `INSERT INTO api_keys (id, name, hint, key_hash, scopes, created_by)
     SELECT '${plantedKey}', 'CRM', 'mk_Meri26', sha256('planted'), '{entitlements:read,orders:read}', id
     FROM operators WHERE email = $1 ON CONFLICT DO NOTHING`,
    [owner],
  )
  const [made] = await ask(endpoint, [owner])
  if (!made) return
  await ask(`
    WITH happened AS (${happened})
    INSERT INTO webhook_deliveries (endpoint_id, event_id, type, subject_kind, subject, state, attempts, next_attempt_at,
      ended_at, last_attempt_at, last_status, last_error, last_answer, last_headers)
    SELECT '${plantedEndpoint}', id, type, 'order', subject, (ARRAY['delivered', 'given_up', 'waiting'])[seq],
      (ARRAY[1, 10, 3])[seq], CASE WHEN seq = 3 THEN business_now() + interval '5 hours' END,
      CASE WHEN seq < 3 THEN business_now() END, business_now() - seq * interval '1 minute',
      (ARRAY[204, 500, NULL])[seq], (ARRAY[NULL, NULL, 'ECONNREFUSED'])[seq], (ARRAY['', '{"error":"no room"}', NULL])[seq],
      jsonb_build_object('content-type', 'application/json; charset=utf-8', 'webhook-id', 'evt_' || id,
        'webhook-timestamp', '1795867200', 'webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')
    FROM happened`)
}
