import { scheduler } from 'node:timers/promises'
import type { Pool } from '@meridian/db'
import { checkInvariants } from '../../apps/api/src/invariants/check-invariants.ts'
import { runToEnd } from '../../e2e/support/start-process.ts'
import { askPlatform, judge, type Verdict } from './judge.ts'

/** Nobody does anything any more: what the platform repeats and what the sweeper asks must bring every payment home. */
export async function untilHealed(
  pool: Pool,
  { sandboxUrl, withinMinutes }: { sandboxUrl: string; withinMinutes: number },
): Promise<Verdict> {
  for (const patienceEnds = Date.now() + withinMinutes * 60_000; ; await scheduler.wait(1_000)) {
    // Asked anew each time: that what was paid is delivered, the platform learns from us.
    const verdict = await judge(pool, await askPlatform(sandboxUrl))
    if (verdict.findings.length === 0 || Date.now() > patienceEnds) return verdict
  }
}

/** The five-minute watch of production, but for the alarm about many payments found by asking: here that is the injected faults. */
export const brokenInvariants = async (pool: Pool) =>
  (await checkInvariants(pool))
    .filter(({ invariant }) => invariant !== 'payments_found_by_asking')
    .map(({ invariant, subject }) => `${invariant}: ${subject}`)

/** What `ledger:verify` says of the database that these replicas use. */
export async function ledgerSays({
  environment,
}: {
  environment: Readonly<Record<string, string>>
}): Promise<{ text: string; isClean: boolean }> {
  const text = await runToEnd('apps/api/dist/commands/verify-ledger.js', { env: environment }).catch(String)
  return { text: text.trim(), isClean: / 0 differ, 0 grants of another platform/.test(text) }
}
