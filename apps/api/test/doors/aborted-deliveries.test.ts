import { once } from 'node:events'
import { connect } from 'node:net'
import { cloneDatabase } from '@meridian/db/testing'
import { startPlatform } from '@meridian/payments/testing'
import { expect, test } from 'vitest'
import { startApi } from '../world/api-process.ts'
import { platformKeys } from '../world/platform-keys.ts'

/** A delivery whose sender hangs up in the middle of its body. */
async function hangUp(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head =
    'POST /api/v1/payment/notify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99'
  await new Promise((resolve) => socket.write(`${head}\r\n\r\n{"half"`, resolve))
  socket.resetAndDestroy()
  await once(socket, 'close')
}

test('deliveries that are broken off by the hundred are information, told now and then', async () => {
  const [database, platform] = await Promise.all([cloneDatabase(), startPlatform({ keys: platformKeys() })])
  const api = await startApi({ platform, databaseUrl: database.databaseUrl, more: { LOG_LEVEL: 'info' } })
  try {
    for (let count = 0; count < 200; count++) await hangUp(api.url)
    await expect.poll(api.output).toContain('broken off by the sender')
    const lines = api
      .output()
      .split('\n')
      .filter((line) => line.includes('notification failed') || line.includes('broken off'))
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
    expect(lines.length).toBeLessThan(20)
  } finally {
    await api.stop()
    await platform.stop()
    await database.drop()
  }
})
