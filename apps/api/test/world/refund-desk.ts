import { beforeEach } from 'vitest'
import { takeOver } from './colleagues.ts'
import { codeOf, idOf, signedInConsole } from './console.ts'
import type { TestWorld } from './test-world.ts'
import { useOpened } from './use-opened.ts'

const [email, secondEmail, newEmail] = ['finance@example.com', 'second@example.com', 'newcomer@example.com']

/** Two of finance who may decide together, and one whose account an owner made just now. */
async function openRefundDesk(world: TestWorld) {
  const open = async (who: string) => (await signedInConsole(world, { email: who, role: 'finance' })).console
  const [finance, second] = [await open(email), await open(secondEmail)]
  const owner = (await signedInConsole(world, { email: 'owner@example.com' })).console
  await owner.staff.invite.mutate({ email: newEmail, name: 'newcomer', role: 'finance' })
  const newcomer = await takeOver(world, newEmail)
  return {
    finance,
    second,
    newcomer,
    operatorId: await idOf(world, email),
    emails: [email, secondEmail] as const,
  }
}

/**
 * The desk of a test file. Before each test the platform works again, and both show their factor anew: it is worth ten
 * minutes.
 */
export function useRefundDesk(world: TestWorld) {
  const desk = useOpened(() => openRefundDesk(world))
  beforeEach(async () => {
    world.platform.faults.clear()
    await proveBoth(world, desk)
  })
  return desk
}

type RefundDesk = Awaited<ReturnType<typeof openRefundDesk>>

async function proveBoth(world: TestWorld, { finance, second }: RefundDesk) {
  await finance.operator.prove.mutate({ code: await codeOf(world, email) })
  await second.operator.prove.mutate({ code: await codeOf(world, secondEmail) })
}
