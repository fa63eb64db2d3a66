import { openPool, type Pool } from '@meridian/db'
import { newChance } from './chance.ts'
import { brokenInvariants, ledgerSays, untilHealed } from './check-outcome.ts'
import { config } from './config.ts'
import { openDatabase } from './database.ts'
import { newFigures, print } from './figures.ts'
import { injectFaults } from './inject-faults.ts'
import { askPlatform, judge, judgeTheJudge } from './judge.ts'
import { openWorld } from './open-world.ts'
import { type Shopper, shop } from './shopper.ts'

const secondsSince = (started: number) => Math.round((performance.now() - started) / 100) / 10

/** Lets everybody in, so many at once; the database goes away after a third of them and after two thirds. */
async function shopAll(
  one: () => Promise<Shopper>,
  takeAway: (served: number) => Promise<void>,
): Promise<Shopper[]> {
  const count = Math.ceil(config.orders / 2)
  const served: Shopper[] = []
  let entered = 0
  const serve = async () => {
    while (entered < count) {
      entered += 1
      served.push(await one())
      if (served.length % 250 === 0) console.log(`  ${served.length * 2} orders`)
      await takeAway(served.length / count)
    }
  }
  await Promise.all(Array.from({ length: config.atOnce }, serve))
  return served
}

/** What each phone is told by the API itself must be what its owner paid for. */
async function askPhones(shoppers: readonly Shopper[], pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ active: number; days: number }>(
    `SELECT count(*) FILTER (WHERE expires_at > now())::int AS active,
       coalesce(sum(ceil(extract(epoch FROM expires_at - now()) / 86400)), 0)::int AS days FROM subscriptions`,
  )
  const shown = { active: 0, days: 0 }
  const waiting = shoppers.values()
  const ask = async () => {
    for (const { look } of waiting) {
      const { is_active, remaining_days } = await look()
      shown.active += is_active ? 1 : 0
      shown.days += remaining_days
    }
  }
  await Promise.all(Array.from({ length: config.atOnce }, ask))
  const [held] = rows
  return held?.active === shown.active && held.days === shown.days
    ? []
    : [`phones are told ${JSON.stringify(shown)}, the books say ${JSON.stringify(held)}`]
}

const confirmedBy = async (pool: Pool) => {
  const { rows } = await pool.query<{ channel: string; orders: number }>(
    `SELECT channel || ' paid, told by ' || confirmed_by AS channel, count(*)::int AS orders FROM orders
     WHERE confirmed_by IS NOT NULL GROUP BY 1 ORDER BY 2 DESC`,
  )
  return Object.fromEntries(rows.map(({ channel, orders }) => [channel, orders]))
}

const started = performance.now()
const chance = newChance(config.seed)
const figures = newFigures()
await using world = await openWorld({ chance, figures, open: openDatabase })
console.log(`${config.orders} orders, chance starts from ${config.seed}`)

const injection = injectFaults({ world, chance, figures, killEvery: config.killEvery })
const stillToCome = [
  { after: 1 / 3, how: 'killed' },
  { after: 2 / 3, how: 'stopped' },
] as const satisfies { after: number; how: 'killed' | 'stopped' }[]
let next = 0
const shoppers = await shopAll(
  () => shop({ world, chance, figures }),
  async (share) => {
    const due = stillToCome[next]
    if (!due || share < due.after) return
    next += 1
    await injection.takeDatabaseAway(due.how)
  },
)
await injection.end()
const shopping = secondsSince(started)
const calm = performance.now()
const pool = openPool(world.database.databaseUrl, { applicationName: 'faults' })
const { findings, daysGranted, secondPayments } = await untilHealed(pool, {
  sandboxUrl: world.sandboxUrl,
  withinMinutes: config.healMinutes,
})
const healing = secondsSince(calm)
await world.network.settled()

const truth = await askPlatform(world.sandboxUrl)
const settled = await judge(pool, truth)
const paid = figures['orders paid'] + figures['orders paid twice']
const { overlooked, tried } = await judgeTheJudge(pool, truth)
const ledger = await ledgerSays(world)
const wrong = [
  ...new Set([...findings, ...settled.findings]),
  ...(await askPhones(shoppers, pool)),
  ...(await brokenInvariants(pool)),
  ...(figures['corrupted ones accepted'] > 0 ? ['corrupted notifications were accepted'] : []),
  ...(truth.length === paid ? [] : [`${paid} payments were made, the platform knows ${truth.length}`]),
  ...overlooked.map((name) => `the judgement overlooks that ${name}`),
  ...(ledger.isClean ? [] : [`ledger:verify: ${ledger.text}`]),
]
print({
  ...figures,
  ...(await confirmedBy(pool)),
  'second payments kept': secondPayments,
  'days granted': daysGranted,
  'seconds of shopping': shopping,
  'seconds to heal': healing,
  'ledger:verify': ledger.text,
  'wrongs the judgement must see': `${tried - overlooked.length} of ${tried} seen`,
})
for (const finding of wrong.slice(0, 50)) console.log(`✖ ${finding}`)
console.log(wrong.length === 0 ? '✔ money is not in doubt' : `✖ ${wrong.length} findings`)
process.exitCode = wrong.length === 0 ? 0 : 1
await pool.end()
