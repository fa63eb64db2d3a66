import { randomUUID } from 'node:crypto'
import type { OrderListQuery } from '@meridian/contracts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { signedInConsole } from '../world/console.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { openFile } from '../world/take-file.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const finance = useConsole(world, 'finance')
const owner = useConsole(world, 'owner')

const tags: string[] = []
const tagOf = (index: number) => tags[index] ?? ''

/** Orders that share instants, users and devices; of each a third bears the first tag, a fifth the second. */
beforeAll(async () => {
  for (const label of ['vip', 'faulty', 'unused']) {
    const { id } = await owner.tag.create.mutate({ label, color: 'orange' })
    tags.push(id)
  }
  await plantOrders(world, { count: 90, together: 7 })
  await plantOrders(world, { count: 60, together: 4, status: 'closed', amountFen: '1000 + n' })
  await world.query(
    `INSERT INTO users (id, openid, created_at)
     SELECT overlay(overlay(md5('tagged ' || n) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid, $1 || n,
       business_now() - (n / 5) * interval '1 hour' FROM generate_series(1, 60) n`,
    [randomUUID()],
  )
  await world.query(
    `INSERT INTO devices (serial_number, created_at)
     SELECT 'TG' || lpad(n::text, 6, '0'), business_now() - (n / 4) * interval '1 hour' FROM generate_series(1, 60) n`,
  )
  await world.query(
    `INSERT INTO taggings (tag_id, subject_kind, subject_id, subject_created_at, operator_id)
     SELECT tag, kind, id, created_at, (SELECT id FROM operators LIMIT 1)
     FROM (SELECT 'order' AS kind, out_trade_no AS id, created_at FROM orders UNION ALL
       SELECT 'user', id::text, created_at FROM users UNION ALL
       SELECT 'device', serial_number, created_at FROM devices) subject,
       (VALUES ($1::bigint, 3), ($2::bigint, 5)) chosen(tag, every)
     WHERE abs(hashtext(id)) % every = 0`,
    [tagOf(0), tagOf(1)],
  )
})

type Page<Row> = { items: Row[]; nextCursor: string | null; previousCursor: string | null }

/** All the pages of a list, read on to its end; and that the way back from there reads the same. */
async function readAll<Row>(
  list: (cursor: string | undefined) => Promise<Page<Row>>,
  idOf: (row: Row) => string,
) {
  const pages: string[][] = []
  const seen: Page<Row>[] = []
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    seen.push(page)
    pages.push(page.items.map(idOf))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  const previous = seen.at(-1)?.previousCursor
  if (previous) expect((await list(previous)).items.map(idOf)).toEqual(pages.at(-2))
  return pages.flat()
}

const orderFilter = fc.record(
  {
    status: fc.constantFrom('created' as const, 'closed' as const, 'paid' as const),
    from: fc.integer({ min: 0, max: 200 }).map((seconds) => new Date(Date.now() - seconds * 1000)),
    to: fc.integer({ min: 0, max: 200 }).map((seconds) => new Date(Date.now() - seconds * 1000)),
    minAmountFen: fc.integer({ min: 1000, max: 1060 }),
  },
  { requiredKeys: [] },
)

describe('a list of what bears a tag', () => {
  test('has the orders that SQL finds, beside any other filter, in the same order, on whatever pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        orderFilter,
        fc.record({
          which: fc.integer({ min: 0, max: 2 }),
          limit: fc.integer({ min: 1, max: 40 }),
          sort: fc.constantFrom('newest' as const, 'oldest' as const, 'amount_desc' as const),
        }),
        async (filter, { which, limit, sort }) => {
          const query: Partial<OrderListQuery> = { ...filter, tag: tagOf(which), limit, sort }
          const read = await readAll(
            (cursor) => finance.order.list.query({ ...query, cursor }),
            ({ outTradeNo }) => outTradeNo,
          )
          const by = {
            newest: 'created_at DESC, out_trade_no DESC',
            oldest: 'created_at, out_trade_no',
            amount_desc: 'amount_fen DESC, orders.id DESC',
          }[sort]
          const rows = await world.query<{ id: string; fen: number }>(
            `SELECT out_trade_no AS id, amount_fen AS fen FROM orders
             WHERE EXISTS (SELECT 1 FROM taggings WHERE tag_id = $1 AND subject_kind = 'order' AND subject_id = out_trade_no)
               AND ($2::order_status IS NULL OR status = $2) AND created_at >= coalesce($3::timestamptz, '-infinity')
               AND created_at < coalesce($4::timestamptz, 'infinity') AND amount_fen >= coalesce($5::int, 0) ORDER BY ${by}`,
            [tagOf(which), filter.status, filter.from, filter.to, filter.minAmountFen],
          )
          expect(read).toEqual(rows.map(({ id }) => id))
          const totals = await finance.order.totals.query({ ...filter, tag: tagOf(which) })
          const amountFen = rows.reduce((sum, { fen }) => sum + fen, 0)
          expect(totals).toMatchObject({ count: rows.length, amountFen, more: false })
        },
      ),
      { numRuns: 40 },
    )
  })

  test.each(['newest', 'oldest'] as const)(
    'has users and devices as SQL finds them, %s first',
    async (sort) => {
      const [tag, way] = [tagOf(0), sort === 'newest' ? 'DESC' : 'ASC']
      const found = async (kind: string) => {
        const rows = await world.query<{ id: string }>(
          `SELECT subject_id AS id FROM taggings WHERE tag_id = $1 AND subject_kind = $2
         ORDER BY subject_created_at ${way}, subject_id ${way}`,
          [tag, kind],
        )
        return rows.map(({ id }) => id)
      }
      const users = await readAll(
        (cursor) => finance.user.list.query({ tag, sort, limit: 7, cursor }),
        ({ id }) => id,
      )
      expect(users).toEqual(await found('user'))
      expect(await finance.user.count.query({ tag })).toEqual({ count: users.length, more: false })
      const devices = await readAll(
        (cursor) => finance.device.list.query({ tag, sort, limit: 7, cursor }),
        ({ serialNumber }) => serialNumber,
      )
      expect(devices).toEqual(await found('device'))
      expect(devices.length).toBeGreaterThan(7)
      expect(await finance.device.count.query({ tag, state: 'bound' })).toEqual({ count: 0, more: false })
    },
  )

  test('shows all tags of each row, by their label', async () => {
    const { items } = await finance.order.list.query({ tag: tagOf(1), limit: 100 })
    for (const { outTradeNo, tags: borne } of items)
      expect({ items: borne }).toEqual(
        await finance.tag.of.query({ subject: { kind: 'order', id: outTradeNo } }),
      )
    expect(items.some(({ tags: borne }) => borne.map(({ label }) => label).join() === 'faulty,vip')).toBe(
      true,
    )
  })

  test('leaves as a file with the filter and the tags', async () => {
    const rows = await world.query(`SELECT 1 FROM taggings WHERE tag_id = $1 AND subject_kind = 'order'`, [
      tagOf(1),
    ])
    const { token } = await signedInConsole(world, { email: 'file@example.com', role: 'finance' })
    const query = { tag: tagOf(1) }
    const file = await openFile(world, { name: 'orders', format: 'csv', token, query })
    expect(file.rows).toHaveLength(rows.length)
    expect(new Set(file.rows.map(({ Tags }) => Tags))).toEqual(new Set(['faulty', 'faulty, vip']))
    expect(file.mark.join()).toContain(`Tag number: ${query.tag}`)
  })
})
