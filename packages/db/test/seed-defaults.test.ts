import { expect, test } from 'vitest'
import { migrate, openPool, type Pool, seedDefaults } from '../src/index.ts'
import { emptyDatabase } from './empty-database.ts'

const itemsOf = async (pool: Pool) =>
  (await pool.query('SELECT code, price_fen, virtual_product_id FROM plans ORDER BY sort_order')).rows

test('only samples bring items of virtual payment, called as their plans, and no plan that exists is changed', async () => {
  await using database = await emptyDatabase()
  await migrate(database.databaseUrl)
  const pool = openPool(database.databaseUrl)
  try {
    await seedDefaults(pool, { settings: {}, samples: true })
    const begun = ['monthly', 'quarterly', 'yearly'].map((code) => ({ code, virtual_product_id: code }))
    expect(await itemsOf(pool)).toMatchObject(begun)
    await pool.query(
      `DELETE FROM plans WHERE code <> 'monthly'; UPDATE plans SET price_fen = 1, virtual_product_id = 'tea'`,
    )
    await seedDefaults(pool, { settings: {} })
    expect(await itemsOf(pool)).toMatchObject([
      { code: 'monthly', price_fen: 1, virtual_product_id: 'tea' },
      { code: 'quarterly', virtual_product_id: null },
      { code: 'yearly', virtual_product_id: null },
    ])
    await seedDefaults(pool, { settings: {}, samples: true })
    expect(await itemsOf(pool)).toMatchObject([
      { virtual_product_id: 'tea' },
      {},
      { virtual_product_id: null },
    ])
  } finally {
    await pool.end()
  }
})
