import { furnishDesks } from './furnish-desks.ts'
import { plantFailedJob, plantWaiting } from './planted-desks.ts'
import { bindToCompany, letFactorWait, letGo, plantOperator, plantView, staffId } from './stored-operators.ts'
import { world } from './world.ts'

export type DialogDesks = Awaited<ReturnType<typeof furnishDialogs>>

/** A price and a setting that a colleague asked for, and a price that who looks at it asked for. */
async function plantRequests(askerEmail: string) {
  const price = (subject: string, email: string) =>
    plantWaiting({
      ...{ kind: 'plan', subject, email },
      before: { priceFen: 26_800, durationDays: 365 },
      after: { act: 'change_price', code: subject, priceFen: 9900, durationDays: 365 },
    })
  await price('yearly', askerEmail)
  await price('quarterly', world().operators.owner.email)
  await plantWaiting({
    ...{ kind: 'setting', subject: 'price_floor_fen_per_day', email: askerEmail },
    before: { version: 1, value: 10 },
    after: { version: 2, value: 20 },
  })
}

/** Somebody who is bound to the company's account, and whose second factor is too new to prove who they are. */
async function hireNewcomer(askerEmail: string): Promise<string> {
  const email = `new-${askerEmail}`
  await plantOperator({ email, role: 'finance' })
  await letFactorWait(email)
  await bindToCompany(email)
  return staffId(email)
}

/** Desks with one of each thing that a dialog of the console is about. */
export async function furnishDialogs() {
  const desks = await furnishDesks()
  const { owner, finance } = world().operators
  await plantFailedJob(`dialogs:${desks.paid}`)
  await plantView({ ownerEmail: owner.email, page: 'refunds', query: 'status=succeeded' })
  await plantRequests(desks.askerEmail)
  const newcomer = await hireNewcomer(desks.askerEmail)
  await letGo(desks.askerEmail)
  const [colleague, former] = [await staffId(finance.email), await staffId(desks.askerEmail)]
  return { ...desks, colleague, former, newcomer }
}
