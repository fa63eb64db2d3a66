import { type Advice, PaymentsError } from './payments-error.ts'
import { isFields, parseJson } from './read-fields.ts'
import type { RawAnswer } from './send-once.ts'

const CODE = /^[A-Z0-9_]{1,64}$/

/** Codes that come with a status that says otherwise (protocol §8.3). */
const adviceByCode: Readonly<Record<string, Advice>> = {
  OPENID_MISMATCH: 'fix',
  INVALID_TRANSACTIONID: 'fix',
  NO_AUTH: 'fix',
  NOAUTH: 'fix',
  NOT_ENOUGH: 'fix',
  NOTENOUGH: 'fix',
  ORDER_PAID: 'ask_again',
  ORDERPAID: 'ask_again',
  OUT_TRADE_NO_USED: 'ask_again',
  ORDER_CLOSED: 'give_up',
  ORDERCLOSED: 'give_up',
  STATEMENT_CREATING: 'retry',
  NO_STATEMENT_EXIST: 'give_up',
}

/**
 * The error for an answer that is not 2xx (protocol §8). Such answers are not signed: only the status and a code of
 * the expected form are taken from them, never their text.
 */
export function refusal({ status, body, requestId }: RawAnswer): PaymentsError {
  const content = parseJson(body)
  const { code } = isFields(content) ? content : {}
  const safeCode = typeof code === 'string' && CODE.test(code) ? code : null
  const advice = adviceOf(status, safeCode)
  const about = safeCode === null ? `status ${status}` : `status ${status}, ${safeCode}`
  return new PaymentsError('refused', { status, code: safeCode, requestId, advice, about })
}

function adviceOf(status: number, code: string | null): Advice {
  // `CODE` admits capitals only, so this never answers with a property of Object.prototype, such as `toString`.
  const known = code === null ? undefined : adviceByCode[code]
  if (known) return known
  if (status === 429 || status >= 500) return 'retry'
  return status === 400 || status === 401 ? 'fix' : 'give_up'
}
