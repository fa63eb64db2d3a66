import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type PhoneAct, PhoneRefusal } from './phone-acts.ts'

const Size = z.object({
  users: z.number().int().min(1).max(200),
  days: z.number().int().min(1).max(92),
  seed: z
    .number()
    .int()
    .min(1)
    .max(2 ** 31)
    .default(1),
})

/** How a play stands: which day of how many, and what was said last. */
export type DemoState = {
  state: 'unavailable' | 'idle' | 'playing' | 'done' | 'failed'
  day: number
  days: number
  said: string
}

const dayLine = /^Day (\d+) of (\d+)/

type Command = readonly [string, ...string[]]

/**
 * Plays sample data at this sandbox by the command that was given for it, one play at a time: the generator is a program
 * of its own, which works as phones and operators do.
 */
export function openDemoPlayer(command: Command | null) {
  let child: ChildProcess | null = null
  const shown: DemoState = { state: command === null ? 'unavailable' : 'idle', day: 0, days: 0, said: '' }

  const hear = (line: string) => {
    const [, day, days] = line.match(dayLine) ?? []
    if (line.trim() !== '') shown.said = line.trim()
    if (day !== undefined) Object.assign(shown, { day: Number(day), days: Number(days) })
  }

  const play = ([program, ...args]: Command, { users, days, seed }: z.infer<typeof Size>) => {
    const size = ['--users', `${users}`, '--days', `${days}`, '--seed', `${seed}`]
    const player = spawn(program, [...args, ...size], { stdio: ['ignore', 'pipe', 'pipe'] })
    Object.assign(shown, { state: 'playing', day: 0, days, said: '' })
    child = player
    for (const stream of [player.stdout, player.stderr]) createInterface({ input: stream }).on('line', hear)
    player.on('error', (error) => hear(error.message))
    player.on('close', (code) => {
      shown.state = code === 0 ? 'done' : 'failed'
      child = null
    })
  }

  const acts: Record<string, PhoneAct> = {
    'GET /sandbox/demo': () => shown,
    'POST /sandbox/demo': (body) => {
      const size = Size.parse(body)
      if (command === null)
        throw new PhoneRefusal('This sandbox was not told how to play: npm start tells it.')
      if (shown.state === 'playing') throw new PhoneRefusal('A play is under way.')
      play(command, size)
      return shown
    },
  }
  return { acts, stop: () => child?.kill('SIGINT') }
}
