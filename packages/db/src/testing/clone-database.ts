import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { withConnection } from '@meridian/embedded-postgres/testing'
import { assertDisposable } from './assert-disposable.ts'
import { addressVariable, atDatabase } from './start-test-cluster.ts'

export type ClonedDatabase = {
  databaseUrl: string
  /** Removes it, also under open connections. */
  drop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A database of the caller's own, with everything the template holds. Any number of processes may ask at once.
 * @throws Error when no test cluster runs
 */
export async function cloneDatabase(address = process.env[addressVariable]): Promise<ClonedDatabase> {
  if (!address) throw new Error('No test cluster: call startTestCluster in the globalSetup of vitest')
  const template = new URL(address).pathname.slice(1)
  const name = template.replace(/_test$/, `_${randomBytes(6).toString('hex')}_test`)
  await createFrom(template, { name, address })
  const databaseUrl = atDatabase(address, name)
  const drop = () => dropDatabase(databaseUrl)
  return { databaseUrl, drop, [Symbol.asyncDispose]: drop }
}

async function createFrom(template: string, clone: { name: string; address: string }): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await administer(clone.address, `CREATE DATABASE ${clone.name} TEMPLATE ${template}`)
      return
    } catch (error) {
      if (attempt >= 50 || !(isInUse(error) || isBusy(error))) throw error
      await pause(20 + Math.random() * 50)
    }
  }
}

async function dropDatabase(databaseUrl: string): Promise<void> {
  assertDisposable(databaseUrl)
  await administer(
    databaseUrl,
    `DROP DATABASE IF EXISTS ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`,
  )
}

function administer(databaseUrl: string, statement: string): Promise<unknown> {
  return withConnection(atDatabase(databaseUrl, 'postgres'), (client) => client.query(statement))
}

// A machine that is busy with many tests may take long to let one more in.
const isBusy = (error: unknown) => error instanceof Error && error.message === 'timeout expired'

// 55006: somebody is connected to the template, if only for housekeeping.
function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55006'
}
