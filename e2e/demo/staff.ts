import { setTimeout as wait } from 'node:timers/promises'
import { OperatorSession } from '@meridian/contracts'
import { z } from 'zod'
import { codeAt } from '../support/authenticator.ts'
import { type ConsoleApi, type ConsoleCall, ConsoleRefusal, callConsole } from '../support/call-console.ts'

/** An operator by what they know and have. */
export const Colleague = z.object({ email: z.string(), password: z.string(), authenticator: z.string() })
export type Colleague = z.infer<typeof Colleague>

export const Staff = z.object({ owner: Colleague, finance: Colleague, operator: Colleague })
export type Staff = z.infer<typeof Staff>

const stepMs = 30_000
const stepNow = () => Math.floor(Date.now() / stepMs)

/** The half minute whose code each has shown last; as if that had been just now, before they have shown one here. */
const shown = new Map<string, number>()

/** The next code that was not shown yet: each is worth one use, half a minute before its time to half a minute after. */
async function nextCode({ email, authenticator }: Colleague): Promise<string> {
  const step = Math.max(stepNow() - 1, (shown.get(email) ?? stepNow()) + 1)
  shown.set(email, step)
  const earlyMs = (step - 1) * stepMs - Date.now()
  if (earlyMs > 0) await wait(earlyMs)
  return codeAt(authenticator, step * stepMs)
}

/** What a colleague at work may call. */
export type Desk = (call: Omit<ConsoleCall, 'session'>) => Promise<unknown>

/** So many codes another demo can have shown that ended just now: of this half minute and of the next. */
const mostShownBefore = 2

const isSpentCode = (error: unknown) =>
  error instanceof ConsoleRefusal && error.message.includes('invalid_code')

async function signIn(api: ConsoleApi, colleague: Colleague, spent = 0): Promise<unknown> {
  const { email, password } = colleague
  const input = { email, password, code: await nextCode(colleague) }
  try {
    return await callConsole(api, { procedure: 'operator.signIn', input })
  } catch (error) {
    if (spent === mostShownBefore || !isSpentCode(error)) throw error
    return signIn(api, colleague, spent + 1)
  }
}

/** Signs in with password and code; the session is good until the clock is moved by two hours. */
export async function sitDown(api: ConsoleApi, colleague: Colleague): Promise<Desk> {
  const answer = await signIn(api, colleague)
  const { token: session } = OperatorSession.pick({ token: true }).parse(answer)
  return (call) => callConsole(api, { ...call, session })
}
