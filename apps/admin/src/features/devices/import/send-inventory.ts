import { DeviceImport } from '@meridian/contracts'
import { z } from 'zod'
import { paths } from '../../../paths.ts'
import type { Failure } from '../../../ui/failure-panel.tsx'

const Problem = z.object({ title: z.string(), request_id: z.string() })

/** What the API said instead of taking the file; null when it did not get to answer. */
export class ImportRefused extends Error {
  readonly failure: Failure | null

  constructor(failure: Failure | null) {
    super('the file was not taken')
    this.failure = failure
  }
}

/**
 * Sends an inventory file, to see what it would do or to do it.
 * @throws ImportRefused
 */
export async function sendInventory(file: File, { apply }: { apply: boolean }): Promise<DeviceImport> {
  const answer = await fetch(paths.deviceImportFile({ apply }), {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: file,
  }).catch(() => null)
  const body: unknown = await answer?.json().catch(() => null)
  if (answer?.status === 401) location.assign(paths.signIn(location.pathname))
  const result = answer?.ok ? DeviceImport.safeParse(body) : null
  if (result?.success) return result.data
  const problem = Problem.safeParse(body).data
  throw new ImportRefused(problem ? { title: problem.title, requestId: problem.request_id } : null)
}
