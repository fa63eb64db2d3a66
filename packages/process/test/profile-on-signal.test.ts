import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Program, spawnProgram } from '../src/index.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-profile-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A program that computes and takes the signal; `recordMs` is how long it records by itself. */
async function startComputing(folder: string, recordMs: number): Promise<Program> {
  const file = new URL('programs/compute.ts', import.meta.url).pathname
  const program = spawnProgram({
    // A loop that V8 optimised while it ran, before the recording began, is counted with its caller: nothing is optimised here.
    command: ['--no-opt', '--import', 'tsx', file, folder, String(recordMs)],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  onTestFinished(() => program.kill())
  await expect.poll(program.output, { timeout: 30_000 }).toContain('ready')
  return program
}

const written = (folder: string) => async () => (await readdir(folder)).length

test('the signal records a profile, the second ends it, and it names what was computed', async () => {
  const folder = await makeFolder()
  const program = await startComputing(folder, 60_000)
  program.process.kill('SIGUSR2')
  await expect.poll(program.output).toContain('recording a CPU profile for 60 s')
  // Ten lines are two hundred rounds of 5 ms within the recording, however busy the machine is.
  const before = program.output().length
  await expect
    .poll(() => program.output().slice(before).split('computed').length, { timeout: 30_000 })
    .toBeGreaterThan(10)
  expect(await written(folder)()).toBe(0)
  program.process.kill('SIGUSR2')
  await expect.poll(program.output).toContain('CPU profile written')
  const [name = ''] = await readdir(folder)
  expect(name).toMatch(new RegExp(`^compute-${program.process.pid}-[\\dTZ-]+\\.cpuprofile$`))
  const file = join(folder, name)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const profile = JSON.parse(await readFile(file, 'utf8'))
  expect(profile).toMatchObject({
    nodes: expect.any(Array),
    samples: expect.any(Array),
    timeDeltas: expect.any(Array),
  })
  expect(JSON.stringify(profile.nodes)).toContain('computeForSomeMs')
  expect(program.output()).toContain(JSON.stringify(file))
})

test('a profile ends by itself, and another may follow', async () => {
  const folder = await makeFolder()
  const program = await startComputing(folder, 200)
  program.process.kill('SIGUSR2')
  await expect.poll(written(folder)).toBe(1)
  await expect.poll(program.output).toContain('CPU profile written')
  program.process.kill('SIGUSR2')
  await expect.poll(written(folder)).toBe(2)
})

test('where the file cannot be written the program says so and goes on', async () => {
  const program = await startComputing(join(await makeFolder(), 'nowhere'), 100)
  program.process.kill('SIGUSR2')
  await expect.poll(program.output).toContain('no CPU profile')
  expect(program.output()).toContain('ENOENT')
  expect(program.hasEnded()).toBe(false)
})
