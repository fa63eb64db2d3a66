import { test } from 'vitest'
import { type ExpectedFault, expectFault, openDoctoredWorld } from '../world/doctored-world.ts'
import { useOpened } from '../world/use-opened.ts'

const doctored = useOpened(openDoctoredWorld)

type WrongSettings = ExpectedFault & { settings: Record<string, string> }

const faults: [string, WrongSettings][] = [
  [
    'a secret that is too short',
    {
      settings: { JWT_SECRET: 'short' },
      about: 'settings',
      says: /^JWT_SECRET: must have at least 32 bytes/,
      mend: /openssl rand -hex 32/,
    },
  ],
  [
    'a secret that is missing',
    {
      settings: { DATA_KEY: '' },
      about: 'settings',
      says: /^DATA_KEY: is required/,
      mend: /openssl rand -hex 32.*sealed with$/,
    },
  ],
  [
    'two secrets that are the same',
    {
      settings: { AUTH_SECRET: 'test-jwt-secret-test-jwt-secret-0123456789' },
      about: 'secrets',
      says: /are the same/,
      mend: /openssl rand -hex 32/,
    },
  ],
  [
    'a secret of one letter',
    {
      settings: { JWT_SECRET: 'a'.repeat(64) },
      about: 'secrets',
      says: /^JWT_SECRET can be guessed/,
      mend: /^JWT_SECRET=… the output of openssl/,
    },
  ],
  [
    'a DATA_KEY that opens nothing',
    {
      settings: { DATA_KEY: 'another-data-key-another-data-key-0123456789' },
      about: 'data key',
      says: /does not open what is stored/,
      mend: /DATA_KEY=new,old/,
    },
  ],
  [
    'a limit that is off',
    {
      settings: { RATE_LIMITS: 'login=0' },
      about: 'limits',
      says: /^the limit login is off/,
      mend: /^remove login=0 from RATE_LIMITS/,
    },
  ],
  [
    'an environment for developers',
    {
      settings: { NODE_ENV: 'development' },
      about: 'program',
      says: /^NODE_ENV is development/,
      mend: /^NODE_ENV=production/,
    },
  ],
  [
    'no channel of alerts',
    {
      settings: { ALERT_CHANNELS: '' },
      about: 'alarms',
      says: /nobody is told/,
      mend: /^set ALERT_CHANNELS/,
    },
  ],
  [
    'metrics on a public address',
    {
      settings: { METRICS_HOST: '8.8.8.8' },
      about: 'listening addresses',
      says: /^METRICS_HOST=8\.8\.8\.8/,
      mend: /^METRICS_HOST=127\.0\.0\.1/,
    },
  ],
  [
    'Redis away',
    {
      settings: { REDIS_URL: 'redis://:redis-password@127.0.0.1:1' },
      about: 'Redis',
      says: /^127\.0\.0\.1:1 does not answer/,
      mend: /^start Redis, or correct REDIS_URL/,
    },
  ],
  [
    'a notification address at which nothing answers',
    {
      settings: { WECHAT_PAY_NOTIFY_URL: 'http://127.0.0.1:1/api/v1/payment/notify' },
      about: 'notification address',
      says: /^nothing answers at 127\.0\.0\.1:1/,
      mend: /^start the API/,
    },
  ],
  [
    'a platform that cannot be reached',
    {
      settings: { WECHAT_PAY_BASE_URL: 'http://127.0.0.1:1' },
      about: 'WeChat Pay',
      says: /could not be asked: unreachable/,
      mend: /firewall/,
    },
  ],
  [
    'the secret of another mini-program',
    {
      settings: { WECHAT_APP_SECRET: '0123456789abcdef0123456789abcdef' },
      about: 'virtual payment',
      says: /could not be asked/,
      mend: /WECHAT_APP_SECRET/,
    },
  ],
]

test.each(faults)('finds %s, and says what mends it', async (_what, { settings, ...fault }) => {
  expectFault(await doctored.examine(settings), fault)
})
