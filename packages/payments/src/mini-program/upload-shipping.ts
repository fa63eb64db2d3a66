import { z } from 'zod'
import { chinaTime } from '../endpoints/orders.ts'
import type { AuthorizedCall } from './access-token.ts'
import { MiniProgramError, type ShippingInformation } from './mini-program.ts'

const VIRTUAL_GOODS = 3
const UNIFIED_DELIVERY = 1
const BY_TRANSACTION_ID = 2
const LONGEST_DESCRIPTION = 120

/** Recorded before, or nothing changed: done all the same (protocol §9.5). */
const ALREADY: ReadonlySet<number | null> = new Set([10060002, 10060003, 10060023])

/**
 * Records that virtual goods were handed over, without which the money stays frozen (protocol §9.5). Throws
 * MiniProgramError `not_yet` where the platform does not know the payment yet: try again in a minute.
 */
export async function uploadShipping(
  call: AuthorizedCall,
  { transactionId, payerOpenid, itemDescription }: ShippingInformation,
  now: Date,
): Promise<'recorded' | 'already'> {
  if (itemDescription === '' || itemDescription.length > LONGEST_DESCRIPTION) {
    throw new MiniProgramError('invalid_request')
  }
  try {
    await call({
      name: 'upload_shipping',
      path: '/wxa/sec/order/upload_shipping_info',
      body: {
        order_key: { order_number_type: BY_TRANSACTION_ID, transaction_id: transactionId },
        logistics_type: VIRTUAL_GOODS,
        delivery_mode: UNIFIED_DELIVERY,
        shipping_list: [{ item_desc: itemDescription }],
        upload_time: withMilliseconds(now),
        payer: { openid: payerOpenid },
      },
    })
    return 'recorded'
  } catch (error) {
    if (error instanceof MiniProgramError && ALREADY.has(error.errcode)) return 'already'
    throw error
  }
}

/** This interface alone wants milliseconds. */
const withMilliseconds = (time: Date): string =>
  chinaTime(time).replace('+', `.${String(time.getTime() % 1000).padStart(3, '0')}+`)

const OrderAnswer = z.object({ order: z.object({ order_state: z.number().int() }) })

/** `order_state` of a payment in the shipping service (protocol §9.5). */
export async function shippingState(call: AuthorizedCall, transactionId: string): Promise<number> {
  const answer = await call({
    name: 'shipping_state',
    path: '/wxa/sec/order/get_order',
    body: { transaction_id: transactionId },
  })
  const parsed = OrderAnswer.safeParse(answer)
  if (!parsed.success) throw new MiniProgramError('unreachable')
  return parsed.data.order.order_state
}
