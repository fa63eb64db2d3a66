/**
 * What the platform's pages leave open or say in two ways, answered here and nowhere else. Whoever learns better from
 * a real merchant account changes the answer in this file.
 */

/** The page of orders calls it required within `scene_info`, a community table optional (protocol §13). */
export const CLIENT_IP_REQUIRED_IN_SCENE = false

/** Required within `store_info`: the page says the id; a community table says name, area code and address. */
export const STORE_FIELDS_REQUIRED: readonly ('id' | 'name' | 'area_code' | 'address')[] = ['id']

/** Only v2 documents what fills the bill's column of devices; here it is `scene_info.device_id`, which replaced it. */
export const DEVICE_ID_IS_IN_BILLS = true

/** Where frozen money of a profit-sharing order pays for a refund that names no account: the staff's word, not a page's. */
export const ACCOUNT_OF_FROZEN_MONEY = 'UNAVAILABLE'

/** A refund paid out of available and frozen money at once: BASIC is described as the account of both. */
export const ACCOUNT_OF_BOTH_MONEYS = 'BASIC'

/** No page says which of `funds_account` and `amount.from` holds where both are sent: here `amount.from`. */
export const SHARES_OUTRANK_ACCOUNT = true

/**
 * The time in the first column of a refund's row. The page says the request of the refund, for all three bills; an
 * old REFUND bill seen in public shows the payment's.
 */
export const REFUND_ROW_IS_DATED_BY: 'refund' | 'payment' = 'refund'

/** How bills made to a merchant's own layout (ALL_SPECIAL …) are refused to one who has none: no page says. */
export const NO_SPECIAL_BILL = { code: 'NO_AUTH', message: '商户未开通个性化账单', status: 403 }

/** What a downloaded bill is said to be: no page tells, clients of others ask for and tell apart these two. */
export const BILL_CONTENT_TYPES = { PLAIN: 'text/plain', PACKED: 'application/x-gzip' }

/** Pages write certificate serials in upper case; a widespread client sends them in lower case and is served. */
export const CERTIFICATE_SERIAL_IGNORES_CASE = true
