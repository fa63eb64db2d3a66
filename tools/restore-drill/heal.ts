import { runToEnd } from '../../e2e/support/start-process.ts'

type Environment = Readonly<Record<string, string>>
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const chinaMs = 8 * hourMs

export type Healed = { asked: number; paid: number; recreated: number; text: string }

/** `npm run db:heal -- --from …`, as the API's own command. */
export async function heal(environment: Environment, from: Date): Promise<Healed> {
  const text = await runToEnd('apps/api/dist/commands/heal-payments.js', {
    args: ['--from', from.toISOString()],
    env: environment,
  })
  const [, asked, paid] = /^(\d+) unpaid orders asked about: (\d+) paid/m.exec(text) ?? []
  const [, recreated] = /^(\d+) orders that only the platform knew/m.exec(text) ?? []
  return { asked: Number(asked), paid: Number(paid), recreated: Number(recreated), text: text.trim() }
}

/** `npm run erasures:apply`: how many people were erased again. */
export async function eraseAgain(environment: Environment): Promise<number> {
  const text = await runToEnd('apps/api/dist/commands/apply-erasures.js', { env: environment })
  return Number(/, (\d+) people erased again/.exec(text)?.[1])
}

/** Half past ten in China tomorrow, when the platform has written the bill of today: for the platform and for us. */
export async function moveToBill(sandboxUrl: string): Promise<void> {
  const now = Date.now()
  const midnight = Math.floor((now + chinaMs) / dayMs) * dayMs - chinaMs
  const hours = (midnight + dayMs + 10.6 * hourMs - now) / hourMs
  const answer = await fetch(`${sandboxUrl}/phone/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hours }),
  })
  if (!answer.ok) throw new Error(`The clock does not move: ${answer.status} ${await answer.text()}`)
}
