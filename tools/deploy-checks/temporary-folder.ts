import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder for the time of one piece of work, below one that users of services may pass. */
export async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join('/tmp', 'meridian-deploy-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
