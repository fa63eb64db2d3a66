/** A notification ready to be posted, or already posted. */
export type Notification = {
  url: string
  notificationId: string
  outTradeNo: string
  headers: Record<string, string>
  body: string
}

/** What the merchant answered; status null: nobody did, or an injected fault swallowed it. */
export type Delivery = Notification & { attempt: number; status: number | null; answer: string }

/** What to put into a notification instead of the truth. */
export type NotificationChanges = {
  id?: string
  eventType?: string
  amountFen?: number
  /** Of a refund: what it says the whole order was. */
  totalFen?: number
  currency?: string
  appId?: string
  mchId?: string
  outTradeNo?: string
  refundId?: string
  transactionId?: string
  payerOpenid?: string
  tradeState?: string
  paidAt?: Date
  /** Seconds to add to the signed timestamp. */
  clockSkewSeconds?: number
  serial?: string
  /** Signed by a key that is not the platform's. */
  wrongKey?: boolean
  probe?: boolean
  /** Flips one bit of the body after signing. */
  corruptByte?: boolean
  algorithm?: string
  /** Encrypts under this key instead of the merchant's. */
  apiV3Key?: string
  associatedData?: string
  /** Decrypted content instead of the transaction. */
  plaintext?: string
}
