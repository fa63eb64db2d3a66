import { randomBytes } from 'node:crypto'
import { column, execute, Prisma, query } from '@meridian/db'
import { MiniProgramError, PaymentsError, type PaymentsReason } from '@meridian/payments'
import { type Check, endsIn, fault, type Seen, warning, well } from '../finding.ts'

const patienceMs = 5_000
const mostSkewMs = 60_000

const wayOut = 'let this machine reach it: name server, firewall, NODE_EXTRA_CA_CERTS of a proxy on the way'
const mends: Partial<Record<PaymentsReason, string>> = {
  unreachable: wayOut,
  timeout: wayOut,
  refused:
    'compare WECHAT_PAY_MCH_ID, WECHAT_PAY_APP_ID, WECHAT_PAY_MERCHANT_SERIAL_NO and its private key with the merchant’s page',
  unverified_answer:
    'WECHAT_PAY_PLATFORM_KEYS=auto, or the key that the merchant’s page shows; and this clock',
}

/** A question about an order that nobody made: the answer proves address, certificate, key and the platform's own key. */
const jsapi: Check = {
  about: 'WeChat Pay',
  look: async ({ services: { payments } }) => {
    if (!payments) return [warning('JSAPI payments are off', 'set the seven WECHAT_PAY_… settings')]
    try {
      await payments.queryOrder(`doctor${randomBytes(8).toString('hex')}`, AbortSignal.timeout(patienceMs))
      return [well(`${payments.platformHost} believes us, and we believe it`)]
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
      const { reason, code } = error
      return [
        fault(
          `${payments.platformHost} could not be asked: ${[reason, code].filter(Boolean).join(', ')}`,
          mends[reason] ?? 'correct WECHAT_PAY_BASE_URL: something else answers there',
        ),
      ]
    }
  },
}

/** The answer about an attempt that nobody made: this person or this order is unknown. Either proves secret and AppKey. */
const virtual: Check = {
  about: 'virtual payment',
  look: async ({ services }) => {
    if (!services.virtual)
      return [
        warning('virtual payment is off', 'set its settings, where it is sold (docs/virtual-payment.md)'),
      ]
    // Behind the host stands the environment, 0 or 1.
    const [platformHost] = services.virtual.platformHost.split('/')
    try {
      await services.virtual.queryAttempt(`doctor${randomBytes(8).toString('hex')}`, 'o-doctor')
      return [well(`${platformHost} believes us`)]
    } catch (error) {
      if (!(error instanceof MiniProgramError)) throw error
      const { reason, errcode } = error
      return [
        fault(
          `${platformHost} could not be asked: ${[reason, errcode].filter(Boolean).join(', ')}`,
          ['unreachable', 'timeout'].includes(reason)
            ? wayOut
            : 'compare WECHAT_APP_SECRET, WECHAT_VIRTUAL_APP_KEY and WECHAT_VIRTUAL_ENV with WeChat’s console',
        ),
      ]
    }
  },
}

function judgeSkew(whose: string, ms: number): Seen {
  if (Math.abs(ms) <= mostSkewMs) return well(`within a minute of ${whose}`)
  const seconds = Math.round(Math.abs(ms) / 1000)
  return fault(
    `this machine is ${seconds} s ${ms > 0 ? 'behind' : 'ahead of'} ${whose}`,
    'timedatectl set-ntp true, on whichever of the two is wrong',
  )
}

const clock: Check = {
  about: 'clock',
  needsDatabase: true,
  look: async ({ services: { payments, database } }) => {
    const [row] = await execute(
      database.pool,
      query(null, Prisma.sql`SELECT clock_timestamp() AS at`, { at: column.instant }),
    )
    const skewMs = payments?.clockSkewMs() ?? null
    return [
      judgeSkew('the database', row ? row.at.getTime() - Date.now() : 0),
      ...(skewMs === null ? [] : [judgeSkew('the platform', skewMs)]),
    ]
  },
}

const certificates: Check = {
  about: 'certificates of the merchant account',
  needsDatabase: true,
  look: async ({ services: { payments, database }, config, now }) => {
    if (!payments || !config.payments) return [well('JSAPI payments are off: there is none')]
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
    const mend = (what: string) => `docs/rotating-keys.md, ${what}`
    const own = row
      ? endsIn('the merchant certificate', row.at, { now, mend: mend('the merchant’s own certificate') })
      : warning('when the merchant certificate ends is not known', 'console, Keys: enter its last day')
    const { keys } = payments.keyReport()
    const ending = keys.flatMap(({ id, expiresAt }) =>
      expiresAt ? [endsIn(`platform key ${id}`, expiresAt, { now, mend: mend('keys of the platform') })] : [],
    )
    return [own, ...ending]
  },
}

/** In this order: the clock of the platform is known by its first answer. */
export const platformChecks: readonly Check[] = [jsapi, virtual, clock, certificates]
