import { ask } from './database.ts'
import { world } from './world.ts'

/** A colleague's notes on an order and on who made it, of which one mentions whoever looks. */
export const plantNotes = (outTradeNo: string) =>
  ask(
    `WITH author AS (SELECT id FROM operators WHERE email = $2),
       bought AS (SELECT out_trade_no, user_id FROM orders WHERE out_trade_no = $1),
       written AS (
         INSERT INTO notes (subject_kind, subject_id, user_id, operator_id, text)
         SELECT 'order', out_trade_no, user_id, author.id, '@owner 已致电，客户周五付款。' FROM bought, author
         UNION ALL
         SELECT 'user', user_id::text, user_id, author.id, '习惯下午接电话' FROM bought, author
         RETURNING id, subject_kind)
     INSERT INTO note_mentions (note_id, operator_id, name)
     SELECT written.id, operators.id, 'owner' FROM written, operators
     WHERE subject_kind = 'order' AND operators.email = $3`,
    [outTradeNo, world().operators.finance.email, world().operators.owner.email],
  )
