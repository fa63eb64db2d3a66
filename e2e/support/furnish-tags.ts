import { ask } from './database.ts'
import { world } from './world.ts'

/** Tags of several colours on an order, on who made it and on their device, one of them archived since. */
export const plantTags = ({ outTradeNo, serial }: { outTradeNo: string; serial: string }) =>
  ask(
    `WITH setter AS (SELECT id FROM operators WHERE email = $3),
       made AS (
         INSERT INTO tags (label, color, archived_at) VALUES
           ('重点客户', 'purple', NULL), ('待回访', 'orange', NULL), ('发票已寄', 'green', NULL), ('去年活动', 'blue', business_now())
         ON CONFLICT DO NOTHING RETURNING id, label),
       tag AS (SELECT id, label FROM made UNION ALL
         SELECT id, label FROM tags WHERE label IN ('重点客户', '待回访', '发票已寄', '去年活动')),
       subject AS (
         SELECT 'order' AS kind, out_trade_no AS id, created_at, user_id FROM orders WHERE out_trade_no = $1
         UNION ALL
         SELECT 'user', u.id::text, u.created_at, u.id FROM users u JOIN orders o ON o.user_id = u.id WHERE o.out_trade_no = $1
         UNION ALL
         SELECT 'device', serial_number, created_at, NULL FROM devices WHERE serial_number = $2)
     INSERT INTO taggings (tag_id, subject_kind, subject_id, subject_created_at, user_id, operator_id)
     SELECT tag.id, subject.kind, subject.id, subject.created_at, subject.user_id, setter.id FROM tag, subject, setter
     WHERE subject.kind = 'order' OR tag.label IN ('重点客户', '去年活动')
     ON CONFLICT DO NOTHING`,
    [outTradeNo, serial, world().operators.finance.email],
  )
