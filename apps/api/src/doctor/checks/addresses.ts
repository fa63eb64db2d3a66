import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { isPublicAddress } from '../../platform/network/reachable.ts'
import { type Check, type Examined, fault, type Seen, warning, well } from '../finding.ts'
import { lookAtHttps } from '../look-at-https.ts'

/** The programs speak plain http: whoever is reached by https stands behind a proxy. */
const isBehindProxy = ({ payments, CONSOLE_URL }: Config) =>
  [payments?.notifyUrl ?? '', CONSOLE_URL].some((url) => url.startsWith('https:'))

const proxy: Check = {
  about: 'proxy',
  look: async ({ config }) => {
    const { TRUST_PROXY, DRAIN_SECONDS } = config
    if (!isBehindProxy(config)) return [well('no address is https: there is no proxy to know')]
    return [
      TRUST_PROXY.length === 0
        ? fault(
            'behind a proxy every caller has its address: limits hit all of them together',
            'TRUST_PROXY=the addresses from which your proxies connect',
          )
        : well(`callers are known behind ${TRUST_PROXY.join(', ')}`),
      ...(DRAIN_SECONDS === 0
        ? [
            warning(
              'DRAIN_SECONDS=0: a balancer goes on sending requests to a program that stops',
              'DRAIN_SECONDS=5; 0 only where systemd holds the sockets of the only machine',
            ),
          ]
        : []),
    ]
  },
}

const limits: Check = {
  about: 'limits',
  look: async ({ config: { RATE_LIMITS } }) => {
    const off = Object.entries(RATE_LIMITS).filter(([, most]) => most === 0)
    if (off.length === 0) return [well('every limit holds')]
    return off.map(([name]) => fault(`the limit ${name} is off`, `remove ${name}=0 from RATE_LIMITS`))
  },
}

const wildcards = ['0.0.0.0', '::']

/** The public addresses of this machine on which something that listens on `host` is reached. */
export const publicAddressesOf = (host: string, own: readonly string[]): string[] =>
  (wildcards.includes(host) ? own : [host]).filter(isPublicAddress)

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])

const listening: Check = {
  about: 'listening addresses',
  look: async ({ config: { HOST, METRICS_HOST } }) => {
    const own = ownAddresses()
    const [metrics] = publicAddressesOf(METRICS_HOST, own)
    const [http] = publicAddressesOf(HOST, own)
    const found: Seen[] = []
    if (metrics)
      found.push(
        fault(
          `METRICS_HOST=${METRICS_HOST} shows the metrics on ${metrics}, a public address`,
          'METRICS_HOST=127.0.0.1, or an address of your private network',
        ),
      )
    if (http)
      found.push(
        warning(
          `HOST=${HOST} takes plain http on ${http}, a public address`,
          'HOST=127.0.0.1 or a private address; else a firewall that lets the proxy alone through',
        ),
      )
    return found.length > 0 ? found : [well('none of them is public')]
  },
}

const waitMs = 3_000
const leadsOff = (url: URL) => !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)

async function sharesLimits({ services: { limits } }: Examined): Promise<boolean> {
  for (const endsAt = performance.now() + waitMs; performance.now() < endsAt && !limits.sharing().up; )
    await delay(50)
  return limits.sharing().up
}

const redis: Check = {
  about: 'Redis',
  look: async (examined) => {
    const { REDIS_URL } = examined.config
    if (!REDIS_URL) return [well('REDIS_URL is not set: each process limits by itself')]
    const url = new URL(REDIS_URL)
    const judge = /^[\w-]+$/.test(url.hostname) ? warning : fault
    return [
      (await sharesLimits(examined))
        ? well(`${url.host} answers`)
        : fault(
            `${url.host} does not answer: each process limits by itself`,
            'start Redis, or correct REDIS_URL (user, password, host)',
          ),
      ...(url.protocol === 'redis:' && leadsOff(url)
        ? [judge('REDIS_URL is in plain text and leads off this machine', 'REDIS_URL=rediss://…')]
        : []),
    ]
  },
}

const consoleAddress: Check = {
  about: 'console address',
  look: async ({ config: { CONSOLE_URL } }) => {
    const url = new URL(CONSOLE_URL)
    const found = await lookAtHttps(url, { mend: 'renew the certificate of the proxy for CONSOLE_URL' })
    const answer = await fetch(new URL('/sign-in', url), {
      signal: AbortSignal.timeout(5_000),
      redirect: 'manual',
    }).catch(() => null)
    return [
      answer?.status === 200
        ? well(`${url.host} answers`)
        : warning(
            `${url.host} does not answer from here${answer ? ` as the console does (${answer.status})` : ''}`,
            'npm run admin; CONSOLE_URL must lead through the proxy to ADMIN_PORT',
          ),
      ...found,
    ]
  },
}

export const addressChecks: readonly Check[] = [proxy, limits, listening, redis, consoleAddress]
