import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const file = join(import.meta.dirname, 'programs/log-and-end.ts')

/** A program of which somebody reads the log, until it is ready. */
async function startLogging() {
  const program = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void program.kill('SIGKILL'))
  let said = ''
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await expect.poll(() => said).toContain('"msg":"ready"')
  return { program, said: () => said, ended: once(program, 'exit') }
}

test('the last lines of a program that ends are in its log', async () => {
  const { program, said, ended } = await startLogging()
  program.stdin.end()
  expect(await ended).toEqual([0, null])
  await expect.poll(said).toContain('"msg":"last line"')
})

test('a program whose log is read by nobody any more still ends', async () => {
  const { program, ended } = await startLogging()
  program.stdout.destroy()
  await once(program.stdout, 'close')
  program.stdin.end()
  expect(await ended).toEqual([0, null])
})
