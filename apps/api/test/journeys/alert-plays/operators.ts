import { Secret } from 'otpauth'
import { codeAt } from '../../../src/operators/totp.ts'
import { idOf, openConsole, passwordOf, signedInConsole } from '../../world/console.ts'
import { relaxContent } from '../../world/diagnosis-program.ts'
import { doJob } from '../../world/do-jobs.ts'
import type { TestWorld } from '../../world/test-world.ts'
import { hidden, repeatable, type SomePlays } from './play.ts'

/** A colleague whose second factor was taken away signs in and sets up another. */
async function setUpFactor(world: TestWorld, email: string): Promise<void> {
  const { token } = await openConsole(world).operator.signIn.mutate({ email, password: passwordOf(email) })
  const { operator } = openConsole(world, { session: token })
  const { secret, ticket } = await operator.startEnrolment.mutate()
  await operator.confirmEnrolment.mutate({ ticket, code: codeAt(Secret.fromBase32(secret).bytes) })
}

const twoOf = async (world: TestWorld, role: 'finance' | 'operator') => {
  const [one, other] = [`one-${role}@example.com`, `other-${role}@example.com`]
  return {
    asks: (await signedInConsole(world, { email: one, role })).console,
    approves: (await signedInConsole(world, { email: other, role })).console,
  }
}

/** What colleagues do of which others must know. */
export const operators = {
  threshold_changed: {
    subject: /^refund_approval_threshold_fen ••••$/,
    raise: async (world) => {
      const { console: owner } = await signedInConsole(world, { email: 'owner@example.com' })
      const key = 'refund_approval_threshold_fen'
      const { items } = await owner.setting.list.query()
      const version = items.find((setting) => setting.key === key)?.version ?? 0
      const { waiting } = await owner.setting.change.mutate({ key, version, value: 30_000 })
      const again = async () => {
        await world.passTime({ hours: 25 })
        await doJob(world, 'apply_setting', { requestId: waiting[0]?.id ?? '' })
      }
      return { again }
    },
  },
  factor_changed: {
    subject: /^[0-9a-f]{4}••••[0-9a-f]{4}$/,
    raise: async (world) => {
      const email = 'colleague@example.com'
      await signedInConsole(world, { email, role: 'operator' })
      const operatorId = await idOf(world, email)
      const { console: owner } = await signedInConsole(world, { email: 'owner@example.com' })
      await owner.staff.resetSecondFactor.mutate({ operatorId })
      return {
        again: () => setUpFactor(world, email),
        end: () => owner.staff.confirmSecondFactor.mutate({ operatorId }),
      }
    },
  },
  price_changed_far: {
    subject: /^quarterly$/,
    raise: async (world) => {
      const { asks, approves } = await twoOf(world, 'finance')
      const halve = async () => {
        const { plan } = await asks.plan.detail.query({ code: 'quarterly' })
        const priceFen = Math.floor(plan.priceFen / 2) - 1
        const { waiting } = await asks.plan.changePrice.mutate({ ...plan, priceFen })
        await approves.plan.decide.mutate({ id: waiting?.id ?? '', approve: true })
      }
      return repeatable(halve)
    },
  },
  program_published: {
    subject: hidden,
    raise: async (world) => {
      const { asks, approves } = await twoOf(world, 'operator')
      const reference = { version: 2, revision: 1 }
      await asks.diagnosis.startDraft.mutate({ version: 1 })
      await asks.diagnosis.saveDraft.mutate({ ...reference, content: relaxContent, note: null })
      const { waiting } = await asks.diagnosis.publish.mutate({ ...reference, revision: 2 })
      await approves.diagnosis.decide.mutate({ id: waiting?.id ?? '', approve: true })
      return {}
    },
  },
} satisfies SomePlays
