import { expect, test } from 'vitest'
import { openDemoPlayer } from '../src/demo-player.ts'

const program = (text: string): [string, string, string, string] => [process.execPath, '-e', text, '--']
const size = { users: 3, days: 2 }

const shown = (player: ReturnType<typeof openDemoPlayer>) => player.acts['GET /sandbox/demo']?.({})
const play = (player: ReturnType<typeof openDemoPlayer>) => player.acts['POST /sandbox/demo']?.(size)

test('a play is told day by day, and one play at a time', async () => {
  const player = openDemoPlayer(
    program(`console.log(process.argv.slice(1).join(' ')); setInterval(() => undefined, 1000)`),
  )
  expect(shown(player)).toMatchObject({ state: 'idle' })
  expect(play(player)).toMatchObject({ state: 'playing', day: 0, days: 2 })
  await expect.poll(() => shown(player)).toMatchObject({ said: '--users 3 --days 2 --seed 1' })
  expect(() => play(player)).toThrow('A play is under way.')
  player.stop()
  await expect.poll(() => shown(player)).toMatchObject({ state: 'failed' })
})

test('it is done when its program ends well, and has failed with its last line when not', async () => {
  const well = openDemoPlayer(program(`console.log('Day 2 of 2, 2026-11-20: 4 visits so far.')`))
  play(well)
  await expect.poll(() => shown(well)).toMatchObject({ state: 'done', day: 2, days: 2 })
  const badly = openDemoPlayer(program(`console.error('No sandbox runs'); process.exit(1)`))
  play(badly)
  await expect.poll(() => shown(badly)).toMatchObject({ state: 'failed', said: 'No sandbox runs' })
})

test('without a program nothing is played, and a size beyond its bounds is refused', () => {
  const without = openDemoPlayer(null)
  expect(shown(without)).toMatchObject({ state: 'unavailable' })
  expect(() => play(without)).toThrow('npm start tells it')
  const player = openDemoPlayer(program(''))
  expect(() => player.acts['POST /sandbox/demo']?.({ users: 201, days: 2 })).toThrow()
  expect(() => player.acts['POST /sandbox/demo']?.({ users: 2, days: 93 })).toThrow()
})
