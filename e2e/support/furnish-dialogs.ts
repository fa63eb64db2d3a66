import { letGo, plantFailedJob, plantView, staffId } from './database.ts'
import { furnishDesks } from './furnish-desks.ts'
import { world } from './world.ts'

export type DialogDesks = Awaited<ReturnType<typeof furnishDialogs>>

/** Desks with one of each thing that a dialog of the console is about. */
export async function furnishDialogs() {
  const desks = await furnishDesks()
  const { owner, finance } = world().operators
  await plantFailedJob(`dialogs:${desks.paid}`)
  await plantView({ ownerEmail: owner.email, page: 'refunds', query: 'status=succeeded' })
  await letGo(desks.askerEmail)
  return { ...desks, colleague: await staffId(finance.email), former: await staffId(desks.askerEmail) }
}
