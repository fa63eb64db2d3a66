import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder for files of subscribers that are gone with the tests of the file. Answers what writes one. */
export function useSubscriberFiles(): (name: string, count: number) => Promise<string> {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-import-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return (name, count) => writeSubscribers(join(folder, `${name}.csv`), name, count)
}

/** So many subscribers; each tenth line is of somebody who had one before. */
async function writeSubscribers(file: string, name: string, count: number): Promise<string> {
  const out = createWriteStream(file)
  out.write('source,source_id,openid,nickname,days\n')
  for (let n = 1; n <= count; n += 1) {
    const person = n % 10 === 0 ? n - 9 : n
    if (!out.write(`${name},${n},${name}_${person},Somebody ${person},30\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
  return file
}
