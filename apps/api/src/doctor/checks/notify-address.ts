import { lookup } from 'node:dns/promises'
import type { PlatformKind } from '../../config/payment-settings.ts'
import { NOTIFICATION_PATH } from '../../doors/notifications/answer.ts'
import { isPublicAddress } from '../../platform/network/reachable.ts'
import { type Check, fault, type Seen, warning, well } from '../finding.ts'
import { lookAtHttps } from '../look-at-https.ts'

const patienceMs = 4_000
const right = `WECHAT_PAY_NOTIFY_URL=https://…${NOTIFICATION_PATH}`

/** What its text alone says. */
export function judgeNotifyUrl(url: URL, platform: PlatformKind): Seen[] {
  const isInside = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return [
    ...(url.pathname.endsWith(NOTIFICATION_PATH)
      ? []
      : [fault(`WECHAT_PAY_NOTIFY_URL does not end in ${NOTIFICATION_PATH}`, right)]),
    ...(platform === 'official' && isInside
      ? [fault('WECHAT_PAY_NOTIFY_URL leads to this machine: the platform cannot call it', right)]
      : []),
  ]
}

async function judgeName(url: URL, platform: PlatformKind): Promise<Seen> {
  const addresses = await lookup(url.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  const [first] = addresses
  if (!first)
    return fault(`the name ${url.hostname} leads nowhere`, 'enter it at your name server, with your proxy')
  if (isPublicAddress(first.address)) return well(`its name leads to ${first.address}`)
  const says = `its name leads to ${first.address}, which is not public as seen from here`
  return platform === 'official'
    ? warning(says, 'look the name up from outside: it must lead to your proxy')
    : well(says)
}

/** The door answers a GET with 405 and what it takes instead. */
async function judgeAnswer(url: URL): Promise<Seen> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' })
    const isOurs = answer.status === 405 && answer.headers.get('allow') === 'POST'
    return isOurs
      ? well('this program answers there')
      : fault(
          `something else answers there (${answer.status})`,
          `let the proxy pass ${url.pathname} on to the API unchanged`,
        )
  } catch {
    return fault(
      `nothing answers at ${url.host}`,
      'start the API, and let the proxy pass its host on to it; ask from outside too',
    )
  }
}

/** As far as it can be told from here: where its name leads, that its TLS holds, and that it is ours that answers. */
export const notifyAddress: Check = {
  about: 'notification address',
  look: async ({ config: { payments, platform } }) => {
    if (!payments) return [well('JSAPI payments are off: there is none')]
    const url = new URL(payments.notifyUrl)
    const [name, tls, answer] = await Promise.all([
      judgeName(url, platform),
      lookAtHttps(url, { mend: 'renew the certificate of the proxy for WECHAT_PAY_NOTIFY_URL' }),
      judgeAnswer(url),
    ])
    return [...judgeNotifyUrl(url, platform), name, answer, ...tls]
  },
}
