import { randomBytes } from 'node:crypto'
import { withConnection } from '@meridian/embedded-postgres/testing'

const cluster = () => process.env['MERIDIAN_TEST_CLUSTER'] ?? ''

export type EmptyDatabase = { databaseUrl: string; [Symbol.asyncDispose](): Promise<void> }

/** A database with nothing in it, on the server of the tests. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const address = new URL(cluster())
  const maintenance = new URL('/postgres', address).href
  const name = `${address.pathname.slice(1, -'_test'.length)}_${randomBytes(6).toString('hex')}_test`
  await withConnection(maintenance, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`))
  address.pathname = `/${name}`
  return {
    databaseUrl: address.href,
    async [Symbol.asyncDispose]() {
      await withConnection(maintenance, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
    },
  }
}
