import type { AppleInquiry } from '@meridian/payments'
import type { Services } from '../services.ts'

/** What Apple is told about a refund, stored and sealed: the body of the answer. */
export async function answerInquiry(_services: Services, _inquiry: AppleInquiry): Promise<string> {
  return ''
}
