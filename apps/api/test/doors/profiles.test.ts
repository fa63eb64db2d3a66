import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase } from '@meridian/db/testing'
import { startPlatform } from '@meridian/payments/testing'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '../world/api-process.ts'
import { call } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'

test('SIGUSR2 writes a CPU profile of a running API, which goes on answering', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-profile-'))
  const platform = await startPlatform({ keys: platformKeys() })
  const database = await cloneDatabase()
  const { databaseUrl } = database
  const api = await startApi({ platform, databaseUrl, more: { LOG_LEVEL: 'info', PROFILE_DIR: folder } })
  onTestFinished(async () => {
    await api.stop()
    await Promise.all([platform.stop(), database.drop(), rm(folder, { recursive: true })])
  })
  api.process.kill('SIGUSR2')
  await expect.poll(api.output).toContain('recording a CPU profile for 30 s')
  expect((await call(`${api.url}/api/v1/subscription/plans`)).status).toBe(200)
  api.process.kill('SIGUSR2')
  await expect.poll(api.output).toContain('CPU profile written')
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^meridian-api-\d+-.*\.cpuprofile$/)])
})
