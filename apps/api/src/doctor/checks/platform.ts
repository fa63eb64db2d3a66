import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import { column, execute, Prisma, query } from '@meridian/db'
import { MiniProgramError, PaymentsError } from '@meridian/payments'
import { isPublicAddress } from '../../alerts/delivery/post-message.ts'
import { NOTIFICATION_PATH } from '../../doors/notifications/answer.ts'
import { type Check, endsIn, fault, warning, well } from '../finding.ts'

const patienceMs = 5_000
const mostSkewMs = 60_000

/** A question about an order that nobody made: the answer proves address, certificate, key and the platform's own key. */
const jsapi: Check = {
  about: 'WeChat Pay',
  look: async ({ services: { payments } }) => {
    if (!payments) return [warning('JSAPI payments are off', 'set the seven WECHAT_PAY_… settings')]
    try {
      await payments.queryOrder(`doctor${randomBytes(8).toString('hex')}`, AbortSignal.timeout(patienceMs))
      return [well(`${payments.platformHost} believes us, and we believe it`)]
    } catch (error) {
      const reason = error instanceof PaymentsError ? error.reason : 'failed'
      return [
        fault(
          `${payments.platformHost} could not be asked: ${reason}`,
          'check the way out to it, WECHAT_PAY_MERCHANT_SERIAL_NO with its private key, and WECHAT_PAY_PLATFORM_KEYS',
        ),
      ]
    }
  },
}

const virtual: Check = {
  about: 'virtual payment',
  look: async ({ services }) => {
    if (!services.virtual) return [warning('virtual payment is off', 'see docs/virtual-payment.md')]
    try {
      await services.virtual.queryAttempt(`doctor${randomBytes(8).toString('hex')}`, 'o-doctor')
      return [well('the platform believes us')]
    } catch (error) {
      const reason =
        error instanceof MiniProgramError ? `${error.reason} ${error.errcode ?? ''}`.trim() : 'failed'
      return [
        fault(
          `it could not be asked: ${reason}`,
          'check WECHAT_APP_SECRET, WECHAT_VIRTUAL_APP_KEY and WECHAT_VIRTUAL_ENV',
        ),
      ]
    }
  },
}

const clock: Check = {
  about: 'clock',
  look: async ({ services: { payments, database } }) => {
    const [row] = await execute(
      database.pool,
      query(null, Prisma.sql`SELECT clock_timestamp() AS at`, { at: column.instant }),
    )
    const skews = [
      ['the database', row ? row.at.getTime() - Date.now() : 0],
      ['the platform', payments?.clockSkewMs() ?? 0],
    ] as const
    return skews.map(([whose, ms]) =>
      Math.abs(ms) > mostSkewMs
        ? fault(`our clock is ${Math.round(ms / 1000)} s behind that of ${whose}`, 'timedatectl set-ntp true')
        : well(`within a minute of ${whose}`),
    )
  },
}

const certificates: Check = {
  about: 'certificates of the merchant account',
  look: async ({ services: { payments, config, database }, now }) => {
    if (!payments || !config.payments) return []
    const { merchantSerialNo } = config.payments
    const [row] = await execute(
      database.pool,
      query(
        null,
        Prisma.sql`SELECT expires_on::timestamp AT TIME ZONE 'Asia/Shanghai' AS at FROM merchant_certificates
          WHERE serial = ${merchantSerialNo}`,
        { at: column.instant },
      ),
    )
    const own = row
      ? endsIn('the merchant certificate', row.at, {
          now,
          mend: 'docs/rotating-keys.md, merchant certificate',
        })
      : warning('when the merchant certificate ends is not known', 'enter its date in the console, page Keys')
    const platform = payments.keyReport().keys.flatMap(({ id, expiresAt }) =>
      expiresAt
        ? [
            endsIn(`platform key ${id}`, expiresAt, {
              now,
              mend: 'docs/rotating-keys.md, keys of the platform',
            }),
          ]
        : [],
    )
    return [own, ...platform]
  },
}

/** When the certificate of a host ends; as whoever calls it sees it. */
function certificateEnd(host: string, port: number): Promise<Date> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: patienceMs })
    socket.once('secureConnect', () => {
      resolve(new Date(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
  })
}

/** As far as it can be told from here: its name leads to a public address, its TLS holds, and it is ours that answers. */
async function lookAtNotifyUrl(url: URL, now: Date) {
  const { address } = await lookup(url.hostname.replace(/^\[|\]$/g, ''))
  const where = isPublicAddress(address)
    ? well(`its name leads to ${address}`)
    : warning(
        `its name leads to ${address}, which is not public`,
        'look up the name from outside; WECHAT_PAY_NOTIFY_URL must lead to your proxy',
      )
  const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' })
  const isOurs = answer.status === 405 && answer.headers.get('allow') === 'POST'
  const ours = isOurs
    ? well('this program answers there')
    : fault(
        `something else answers there (${answer.status})`,
        `let the proxy pass ${url.pathname} on to the API unchanged`,
      )
  if (url.protocol !== 'https:') return [where, ours]
  const end = await certificateEnd(url.hostname, Number(url.port || 443))
  return [
    where,
    ours,
    endsIn('its TLS certificate', end, { now, mend: 'renew the certificate of the proxy' }),
  ]
}

const notifyAddress: Check = {
  about: 'notification address',
  look: async ({ services: { config }, now }) => {
    if (!config.payments) return []
    const url = new URL(config.payments.notifyUrl)
    const path = url.pathname.endsWith(NOTIFICATION_PATH)
      ? []
      : [
          fault(
            `WECHAT_PAY_NOTIFY_URL does not end in ${NOTIFICATION_PATH}`,
            `WECHAT_PAY_NOTIFY_URL=https://…${NOTIFICATION_PATH}`,
          ),
        ]
    return [...path, ...(await lookAtNotifyUrl(url, now))]
  },
}

export const platformChecks: readonly Check[] = [jsapi, virtual, clock, certificates, notifyAddress]
