import { secrets } from '@meridian/process/read-environment'
import type { Finding } from './finding.ts'

const shortest = 6

/** What of an address nobody should read: user's password and query; of other secrets each part. */
function partsOf(value: string): string[] {
  if (!URL.canParse(value)) return value.split(',').flatMap((part) => [part.trim(), ...part.split('#')])
  const { password, search } = new URL(value)
  return [value, password, decodeURIComponent(password), search.slice(1)]
}

/**
 * Findings as they may be shown: reasons come from libraries, and none of them may repeat a password or a key.
 */
export function hideSecrets(
  findings: readonly Finding[],
  environment: Readonly<Record<string, string>>,
): Finding[] {
  const hidden = secrets
    .flatMap((name) => partsOf(environment[name] ?? ''))
    .filter((part) => part.length >= shortest)
    .sort((one, other) => other.length - one.length)
  const shown = (text: string) => hidden.reduce((rest, part) => rest.replaceAll(part, '•••'), text)
  return findings.map((finding) => ({ ...finding, says: shown(finding.says) }))
}
