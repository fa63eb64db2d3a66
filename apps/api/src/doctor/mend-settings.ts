import type { ConfigError } from '../config.ts'
import { type Finding, fault } from './finding.ts'

const secret = (name: string) => `${name}=… the output of openssl rand -hex 32, or deploy/make-secrets.sh`

/** The line that mends a setting, where it is more than what the problem itself says. */
const mends: Readonly<Record<string, string>> = {
  JWT_SECRET: secret('JWT_SECRET'),
  AUTH_SECRET: secret('AUTH_SECRET'),
  DATA_KEY: `${secret('DATA_KEY')}; where data are stored already, the key they are sealed with`,
  DATABASE_URL: 'DATABASE_URL=postgresql://meridian_app:…@host:5432/meridian?sslmode=verify-full',
  DATABASE_DIRECT_URL: 'DATABASE_DIRECT_URL=… the server itself, past the pooler',
  CONSOLE_URL: 'CONSOLE_URL=https://… as operators open the console',
  TRUST_PROXY: 'TRUST_PROXY=10.0.0.0/8, say: the addresses of your proxies',
  ALERT_CHANNELS: 'ALERT_CHANNELS=wecom:https://…, see docs/operations.md, alerts outside the console',
}

/** One finding for each problem of the settings. */
export const settingsFaults = ({ problems }: ConfigError): Finding[] =>
  problems.map((problem) => {
    const [name = ''] = problem.split(':')
    return { about: 'settings', ...fault(problem, mends[name] ?? `correct ${name} (README.md, settings)`) }
  })
