import { type BrowserContext, test as base, type Page } from '@playwright/test'
import { keepRefusals } from './keep-refusals.ts'
import { signIn } from './operator.ts'
import { passedHours } from './pass-time.ts'
import { type Phone, unlockPhone } from './phone.ts'
import { openPhone, type PhoneScreen } from './phone-screen.ts'
import { platform } from './platform.ts'
import { type StartedWorld, startWorld, type World } from './start-world.ts'
import { keepProven } from './stored-operators.ts'
import { usable } from './until-alive.ts'
import { within, world } from './world.ts'
import type { OperatorName } from './world-templates.ts'

/** A session that nobody used for two hours is over. */
const idleHours = 1.5

type StorageState = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

type Actors = {
  /** Somebody at the console, signed in, with the second factor shown just now. */
  signedIn: (name: OperatorName) => Promise<Page>
  /** The owner at the console. */
  operator: Page
  /** Finance at the console. */
  finance: Page
  /** A phone without a screen. */
  phone: Phone
  phoneScreen: PhoneScreen
  /** Behaves again after each journey. */
  platform: typeof platform
  /** A world for this journey alone, in which jobs run. */
  ownWorld: StartedWorld
  /** The journey is of a shop in which jobs run and no journey of another file leaves anything: asked for before anybody acts. */
  quietShop: World
  /** The journey is one of the world in which plans are sold by virtual payment: asked for before anybody acts. */
  virtualShop: World
}

type Shared = {
  sessionOf: (name: OperatorName) => Promise<StorageState>
  /** A world in which jobs run, and whose sale policy is no matter of other journeys; begun when it is first asked for. */
  virtualWorld: StartedWorld
  /** A world in which jobs run, for the journeys of one file; it ends when another file asks for its own. */
  worldOfFile: (file: string) => Promise<StartedWorld>
}

/** Playwright's test with the actors of Meridian. */
export const test = base.extend<Actors, Shared>({
  sessionOf: [
    async ({ browser }, use) => {
      const begin = async (name: OperatorName) => {
        const page = await browser.newPage({ locale: 'zh-CN' })
        await signIn(page, name)
        await page.getByRole('heading', { name: '总览', level: 1 }).waitFor()
        const state = await page.context().storageState()
        await page.close()
        return state
      }
      const sessions = new Map<string, { state: Promise<StorageState>; hours: number }>()
      await use((name) => {
        const who = `${name} of ${world().consoleUrl}`
        const open = sessions.get(who)
        const session =
          open && passedHours() - open.hours < idleHours ? open : { state: begin(name), hours: passedHours() }
        sessions.set(who, session)
        return session.state
      })
    },
    { scope: 'worker' },
  ],
  signedIn: async ({ browser, sessionOf, contextOptions, viewport, locale }, use, testInfo) => {
    const contexts: BrowserContext[] = []
    const refusals = keepRefusals()
    await use(async (name) => {
      const storageState = await sessionOf(name)
      const options = { ...contextOptions, viewport, locale: locale ?? 'zh-CN', storageState }
      const context = await browser.newContext(options)
      contexts.push(context)
      await keepProven(world().operators[name].email)
      const page = await context.newPage()
      refusals.watch(page)
      return usable(page)
    })
    await refusals.tell(testInfo)
    for (const context of contexts) await context.close()
  },
  operator: async ({ signedIn }, use) => use(await signedIn('owner')),
  finance: async ({ signedIn }, use) => use(await signedIn('finance')),
  phone: async ({ browserName: _ }, use) => use(await unlockPhone()),
  phoneScreen: async ({ page }, use) => use(await openPhone(page)),
  platform: async ({ browserName: _ }, use) => {
    await use(platform)
    await platform.behaves()
  },
  ownWorld: async ({ browserName: _ }, use) => {
    const own = await startWorld({ withJobs: true })
    try {
      await use(own)
    } finally {
      await own.stop()
    }
  },
  virtualWorld: [
    async ({ browserName: _ }, use) => {
      const own = await startWorld({ withJobs: true })
      try {
        await use(own)
      } finally {
        await own.stop()
      }
    },
    { scope: 'worker' },
  ],
  worldOfFile: [
    async ({ browserName: _ }, use) => {
      const kept = new Map<string, StartedWorld>()
      const end = async () => {
        for (const [file, own] of kept) {
          kept.delete(file)
          await own.stop()
        }
      }
      await use(async (file) => {
        const known = kept.get(file)
        if (known) return known
        await end()
        const own = await startWorld({ withJobs: true })
        kept.set(file, own)
        return own
      })
      await end()
    },
    { scope: 'worker' },
  ],
  quietShop: async ({ worldOfFile }, use, { file }) => {
    const { world: own } = await worldOfFile(file)
    await within(own, () => use(own))
  },
  virtualShop: async ({ virtualWorld }, use) => within(virtualWorld.world, () => use(virtualWorld.world)),
})

export { expect } from '@playwright/test'
