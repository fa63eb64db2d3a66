import { todayInChina } from '../../apps/api/src/dashboard/days.ts'

type Paid = { outTradeNo: string; transactionId: string | null; userId: string; createdAt: string }

const dayOf = ({ createdAt }: Paid) => todayInChina(new Date(createdAt))
const endOf = ({ outTradeNo }: Paid) => outTradeNo.slice(-6)

/** What is typed or pasted into the search from anywhere, one text of each kind, about one order that was paid. */
export const searchTexts: Readonly<Record<string, (paid: Paid) => string>> = {
  'an order number': ({ outTradeNo }) => outTradeNo,
  'the end of an order number': endOf,
  'the end of a transaction': ({ transactionId }) => (transactionId ?? '').slice(-8),
  'a message with the end of a number': (paid) => `您好，订单尾号 ${endOf(paid)}，付了钱没有开通`,
  'a user': ({ userId }) => userId,
  'the end of a user id': ({ userId }) => userId.slice(-6),
  'the end of a serial number': () => '004711',
  'an openid': () => 'oBench00000000000000004711',
  'a nickname': () => 'user 4711',
  'a nickname that everybody has': () => 'user',
  'an amount': () => '268',
  'a day': dayOf,
  'an amount and a day': (paid) => `268.00 ${dayOf(paid)}`,
  'an amount that no order of a day has': (paid) => `1.23 ${dayOf(paid)}`,
  'a nickname and an amount': () => 'user 4711 29.00',
  'a nickname that everybody has, and a day': (paid) => `user ${dayOf(paid)}`,
}
