import { createTRPCClient, httpLink } from '@trpc/client'
import { SignJWT } from 'jose'
import superjson from 'superjson'
import type { AppRouter } from '../apps/api/src/doors/trpc/router.ts'
import { createOperator } from '../apps/api/src/operators/create-operator.ts'
import { toCursor } from '../apps/api/src/paging.ts'
import { signTokens } from '../apps/api/src/users/user-tokens.ts'
import { median, quantile } from './measure.ts'
import type { BenchWorld } from './open-world.ts'
import { type Program, startApi } from './programs.ts'
import { type Line, milliseconds } from './table.ts'

const runs = 20
const pageRuns = 60
const deepPage = 10_000
const pageSize = 20
const acceptableMs = 150

type Read = () => Promise<unknown>

/** How long each of these reads takes, in milliseconds, in turns. */
async function timeEach(
  reads: Readonly<Record<string, Read>>,
  times: number,
): Promise<Map<string, number[]>> {
  const taken = new Map(Object.keys(reads).map((name): [string, number[]] => [name, []]))
  for (let run = -2; run < times; run += 1) {
    for (const [name, read] of Object.entries(reads)) {
      const started = performance.now()
      await read()
      if (run >= 0) taken.get(name)?.push(performance.now() - started)
    }
  }
  return taken
}

async function openConsole({ services }: BenchWorld, { port }: Program) {
  const { AUTH_SECRET } = services.config
  const token = () =>
    new SignJWT({ address: '203.0.113.7', user_agent: 'bench' })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience('meridian-console')
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(Buffer.from(AUTH_SECRET))
  const clientWith = (session: Record<string, string>) =>
    createTRPCClient<AppRouter>({
      links: [
        httpLink({
          url: `http://127.0.0.1:${port}/trpc`,
          transformer: superjson,
          headers: async () => ({ 'x-console-token': await token(), ...session }),
        }),
      ],
    })
  const account = { email: `viewer-${Date.now()}@bench.local`, password: 'a password of a bench' }
  const operator = { ...account, name: 'bench', role: 'viewer', mustChangePassword: false } as const
  await createOperator(services.database.prisma, operator)
  const { token: session } = await clientWith({}).operator.signIn.mutate(account)
  return clientWith({ authorization: `Bearer ${session}` })
}

type Position = {
  createdAt: string
  id: string
  outTradeNo: string
  transactionId: string | null
  userId: string
}

/** The row that ends page 9,999, or the last page but one of what there is. */
async function rowBefore({ services }: BenchWorld, page: number, where: string): Promise<Position> {
  const { rows } = await services.database.pool.query<Position>(
    `SELECT created_at::text AS "createdAt", id::text AS id, out_trade_no AS "outTradeNo",
       transaction_id AS "transactionId", user_id AS "userId"
     FROM orders WHERE ${where} ORDER BY created_at DESC, id DESC
     OFFSET least($1::int, (SELECT count(*) FROM orders WHERE ${where}) - 2 * ${pageSize}) LIMIT 1`,
    [(page - 1) * pageSize - 1],
  )
  const [row] = rows
  if (!row) throw new Error('the past has no such row')
  return row
}

const cursorAfter = ({ createdAt, id }: Position) => toCursor([createdAt, id])

async function ownListReads(world: BenchWorld, { port }: Program): Promise<Record<'first' | 'deep', Read>> {
  const { heavyUserId } = world.history
  const tokens = await signTokens(world.services.config.JWT_SECRET, heavyUserId, 'none')
  const deep = cursorAfter(await rowBefore(world, deepPage, `user_id = '${heavyUserId}'`))
  const read = (query: string) => async () => {
    const url = `http://127.0.0.1:${port}/api/v1/subscription/orders?limit=${pageSize}${query}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    if (!answer.ok) throw new Error(`the list answered ${answer.status}`)
    await answer.arrayBuffer()
  }
  return { first: read(''), deep: read(`&cursor=${deep}`) }
}

const deepOverFirst = (what: string, first: readonly number[], deep: readonly number[]): Line => ({
  what,
  figure: milliseconds(median(deep)),
  floor: `first page ${milliseconds(median(first))}`,
  ratio: median(deep) / median(first),
  aim: { atMost: 1.5 },
})

/** The user's own list and the console's: the ten-thousandth page beside the first. */
export async function measureReads(world: BenchWorld): Promise<Line[]> {
  const api = await startApi(world)
  try {
    const own = await ownListReads(world, api)
    const ownTimes = await timeEach(own, pageRuns)
    const { order } = await openConsole(world, api)
    const deepest = await rowBefore(world, deepPage, 'TRUE')
    const somebody = await rowBefore(world, deepPage, `status = 'paid'`)
    const { outTradeNo, userId, transactionId } = somebody
    const newest = { sort: 'newest', limit: pageSize } as const
    const first = () => order.list.query(newest)
    const deep = () => order.list.query({ ...newest, cursor: cursorAfter(deepest) })
    const from = new Date(Date.now() - 30 * 86_400_000)
    const reads = {
      'orders, first page': first,
      'orders, page 10,000': deep,
      'orders paid for one plan': () => order.list.query({ ...newest, status: 'paid', planCode: 'yearly' }),
      'orders of a month by amount': () =>
        order.list.query({ ...newest, sort: 'amount_desc', from, minAmountFen: 3000 }),
      'count and sum of paid orders': () => order.totals.query({ status: 'paid' }),
      'search by order number': () => order.list.query({ ...newest, search: outTradeNo }),
      'search by transaction': () => order.list.query({ ...newest, search: transactionId ?? '' }),
      'search by user': () => order.list.query({ ...newest, search: userId }),
      'order detail': () => order.detail.query({ outTradeNo }),
    }
    const times = await timeEach(
      { ...reads, 'SELECT 1': () => world.services.database.pool.query('SELECT 1') },
      runs,
    )
    const bare = quantile(times.get('SELECT 1') ?? [], 0.95)
    const pages = [
      deepOverFirst(
        "page 10,000 of a user's orders",
        ownTimes.get('first') ?? [],
        ownTimes.get('deep') ?? [],
      ),
      deepOverFirst(
        'page 10,000 of the console',
        times.get('orders, first page') ?? [],
        times.get('orders, page 10,000') ?? [],
      ),
    ]
    return [...pages, ...Object.keys(reads).map((name) => readLine(name, times.get(name) ?? [], bare))]
  } finally {
    await api.stop()
  }
}

const readLine = (name: string, taken: readonly number[], bareMs: number): Line => ({
  what: `${name}, p95 of ${runs}`,
  figure: milliseconds(quantile(taken, 0.95)),
  floor: `SELECT 1 ${milliseconds(bareMs)}; ${acceptableMs} ms`,
  ratio: quantile(taken, 0.95) / acceptableMs,
  aim: { atMost: 1 },
})
