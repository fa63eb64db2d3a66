import { UnsealError } from '../../platform/crypto/seal.ts'
import { openLimits } from '../../platform/limits/open-limits.ts'
import { type Check, fault, warning, well } from '../finding.ts'

const oldestNode = 22

const program: Check = {
  about: 'program',
  look: async ({ services: { config } }) => {
    const major = Number(process.versions.node.split('.')[0])
    return [
      major < oldestNode
        ? warning(`Node ${process.versions.node} is past its end of life`, 'run Node 24, or the image')
        : well(`Node ${process.versions.node}`),
      ...(config.NODE_ENV === 'production'
        ? []
        : [fault(`NODE_ENV is ${config.NODE_ENV}`, 'NODE_ENV=production')]),
      ...(config.platform === 'sandbox'
        ? [
            warning(
              'the payment platform is a sandbox: no real money moves',
              'set the WECHAT_… settings of the real account',
            ),
          ]
        : []),
    ]
  },
}

const secrets: Check = {
  about: 'secrets',
  look: async ({ services: { config, dataKeys } }) => {
    const newest = [config.JWT_SECRET[0], config.AUTH_SECRET[0], config.DATA_KEY[0]]
    const shared =
      new Set(newest).size < newest.length
        ? [
            fault(
              'two of JWT_SECRET, AUTH_SECRET and DATA_KEY are the same',
              'make one of its own for each: openssl rand -hex 32',
            ),
          ]
        : [well('each has a value of its own')]
    try {
      await dataKeys.check()
      return [...shared, well('DATA_KEY opens what is stored')]
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error
      return [
        ...shared,
        fault('DATA_KEY does not open what is stored', 'add the older key behind a comma: DATA_KEY=new,old'),
      ]
    }
  },
}

const proxy: Check = {
  about: 'proxy',
  look: async ({ services: { config } }) => [
    config.platform === 'official' && config.TRUST_PROXY.length === 0
      ? fault(
          'every caller counts as the proxy: limits hit all of them together',
          'TRUST_PROXY=the addresses of your proxies',
        )
      : well(config.TRUST_PROXY.length > 0 ? 'addresses of callers are known' : 'no proxy is trusted'),
    ...Object.entries(config.RATE_LIMITS)
      .filter(([, most]) => most === 0)
      .map(([name]) => fault(`the limit ${name} is off`, `remove ${name}=0 from RATE_LIMITS`)),
  ],
}

const waitMs = 3_000

const redis: Check = {
  about: 'Redis',
  look: async ({ services: { config, log } }) => {
    if (!config.REDIS_URL) return [well('not configured: each process limits by itself')]
    const limits = openLimits(config.REDIS_URL, log)
    try {
      for (const endsAt = performance.now() + waitMs; performance.now() < endsAt && !limits.sharing().up; )
        await new Promise((resolve) => setTimeout(resolve, 50))
      return [
        limits.sharing().up
          ? well('answers')
          : fault('REDIS_URL does not answer', 'start Redis, or correct REDIS_URL'),
      ]
    } finally {
      limits.close()
    }
  },
}

export const installationChecks: readonly Check[] = [program, secrets, proxy, redis]
