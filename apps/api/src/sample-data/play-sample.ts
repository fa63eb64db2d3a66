import { SampleData } from '@meridian/contracts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { sandboxAddress } from '../config/sandbox-address.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'

/** A shop of about ninety days, large enough that every list has several pages. */
const size = { users: 40, days: 90, seed: 1 }
const patienceMs = 5_000

const unavailable: SampleData = { state: 'unavailable', day: 0, days: 0 }

type Asked = { address: string; play?: typeof size }

/** What the sandbox says of its play; a sandbox that does not answer, or knows of none, cannot play. */
async function askSandbox({ runtime }: Services, { address, play }: Asked): Promise<SampleData> {
  const sent = play && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(play),
  }
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const response = await runtime.fetch(new URL('/sandbox/demo', address), { ...sent, signal })
    return SampleData.safeParse(await response.json()).data ?? unavailable
  } catch {
    return unavailable
  }
}

/** How the play of sample data stands; never asked of anything but a sandbox. */
export async function showSampleData(services: Services): Promise<SampleData> {
  const address = sandboxAddress(services.config)
  return address === null ? unavailable : askSandbox(services, { address })
}

/**
 * Has the sandbox fill itself by playing: phones, operators and the platform do what they do, day by day, so that
 * everything is written by its own writer. The request stands in the audit log before anything is played.
 * @throws DomainError sandbox_only; sample_data_playing; sample_data_unavailable where the sandbox cannot play
 */
export async function playSampleData(services: Services, { operatorId, from }: Actor): Promise<SampleData> {
  const address = sandboxAddress(services.config)
  if (address === null) throw new DomainError('sandbox_only')
  const { state } = await askSandbox(services, { address })
  if (state === 'unavailable') throw new DomainError('sample_data_unavailable')
  if (state === 'playing') throw new DomainError('sample_data_playing')
  const entry = {
    operatorId,
    action: 'sample_data.play',
    subject: { type: 'sandbox', id: new URL(address).host },
  }
  await services.database.prisma.$transaction((db) => writeAudit(db, { ...entry, after: size }, from))
  const started = await askSandbox(services, { address, play: size })
  if (started.state === 'unavailable') throw new DomainError('sample_data_unavailable')
  return started
}
