import { severityOfAlert } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { orderOfAlertSql } from '../alerts/orders-of-alert.ts'
import type { Fact, Lines } from './told-facts.ts'

const { sql } = Prisma

const bindingColumns = {
  type: oneOf(['device.bound', 'device.unbound']),
  seq: column.integer,
  at: column.instant,
  changedAt: column.instant,
  serialNumber: column.text,
  userId: column.text,
  model: nullable(column.text),
  reason: nullable(oneOf(['unbound', 'superseded', 'operator', 'erased', 'import_undone'])),
}
type BindingLine = RowOf<typeof bindingColumns>

/** It happens when it is noted: a binding that was imported may have been made long before. */
const bindingsSql = ({ after, until }: Lines): Prisma.Sql => sql`
  SELECT l.type, (l.data ->> 'seq')::int AS seq, l.created_at AS at,
    CASE WHEN l.type = 'device.bound' THEN b.bound_at ELSE b.unbound_at END AS "changedAt", b.serial_number AS "serialNumber",
    b.user_id::text AS "userId", d.model, b.end_reason AS reason
  FROM outbox_lines l JOIN bindings b ON b.id = (l.data ->> 'binding')::bigint JOIN devices d USING (serial_number)
  WHERE l.id > ${after} AND l.id <= ${until} AND l.type IN ('device.bound', 'device.unbound') ORDER BY l.id`

function ofBinding({ type, seq, at, changedAt, serialNumber, userId, model, reason }: BindingLine): Fact {
  const about = { subjectKind: 'device', subject: serialNumber, at } as const
  const device = { seq, serial_number: serialNumber, user_id: userId, model }
  return type === 'device.bound'
    ? { type, ...about, data: { ...device, bound_at: changedAt.toISOString() } }
    : {
        type,
        ...about,
        data: { ...device, unbound_at: changedAt.toISOString(), reason: reason ?? 'unbound' },
      }
}

const alertColumns = {
  id: column.text,
  kind: column.text,
  own: nullable(column.text),
  at: column.instant,
  outTradeNo: nullable(column.text),
}

const alertsSql = ({ after, until }: Lines): Prisma.Sql => sql`
  SELECT alerts.id::text, alerts.kind, alerts.detail ->> 'severity' AS own, alerts.opened_at AS at,
    ${orderOfAlertSql} AS "outTradeNo"
  FROM outbox_lines l JOIN alerts ON alerts.id = l.subject::bigint
  WHERE l.id > ${after} AND l.id <= ${until} AND l.type = 'alert.opened' ORDER BY l.id`

/** What the outbox tells of devices and alerts: nothing of one that is gone meanwhile. */
export async function readOtherFacts(client: PoolClient, lines: Lines): Promise<Fact[]> {
  const bindings = await execute(client, query('read-binding-facts', bindingsSql(lines), bindingColumns))
  const alerts = await execute(client, query('read-alert-facts', alertsSql(lines), alertColumns))
  return [
    ...bindings.map(ofBinding),
    ...alerts.map(
      ({ id, kind, own, at, outTradeNo }): Fact => ({
        type: 'alert.opened',
        subjectKind: 'alert',
        subject: id,
        at,
        data: { seq: 1, alert_id: id, kind, severity: severityOfAlert(kind, own), out_trade_no: outTradeNo },
      }),
    ),
  ]
}
