import { DomainError } from '../platform/errors/domain-error.ts'
import { leadsAstray } from '../platform/network/post-message.ts'
import { type AddressProblem, addressProblem, type Reach } from '../platform/network/reachable.ts'

const astray: AddressProblem = {
  zh: '域名指向不允许的地址（内网或保留地址）',
  en: 'the name leads to an address that is not permitted, inside or reserved',
}

/**
 * Judges where events are to be sent, as it is written; each connection is judged again.
 * @throws DomainError invalid_request
 */
export async function judgeAddress(url: string, reach: Reach): Promise<void> {
  const problem = addressProblem(url, reach) ?? ((await leadsAstray(url, reach)) ? astray : null)
  if (problem) throw new DomainError('invalid_request', { errors: [{ path: 'url', message: problem }] })
}
