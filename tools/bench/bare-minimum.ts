import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openPool, type Pool } from '@meridian/db'
import { config } from './config.ts'
import type { BenchWorld } from './open-world.ts'

/** How many orders wait in the bare tables; a sequence hands them out, so that each is paid once. */
const waiting = 200_000

/** What a payment cannot do without, on tables that have nothing but their keys. */
const tables = `
  DROP SCHEMA IF EXISTS bare CASCADE;
  CREATE SCHEMA bare;
  CREATE TABLE bare.orders (out_trade_no text PRIMARY KEY, id bigint NOT NULL UNIQUE, user_id uuid NOT NULL,
    status text NOT NULL, plan_code text NOT NULL, days int NOT NULL, features text[] NOT NULL, amount_fen int NOT NULL,
    payer_openid text NOT NULL, app_id text NOT NULL, mch_id text NOT NULL, prepay_id text, expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL, transaction_id text, paid_at timestamptz, confirmed_at timestamptz);
  CREATE TABLE bare.subscriptions (user_id uuid PRIMARY KEY, seq int NOT NULL, expires_at timestamptz);
  CREATE TABLE bare.grants (user_id uuid, seq int, kind text NOT NULL, order_id bigint NOT NULL, plan_code text NOT NULL,
    days int NOT NULL, features text[] NOT NULL, effective_at timestamptz NOT NULL, expires_before timestamptz,
    expires_after timestamptz NOT NULL, PRIMARY KEY (user_id, seq));
  CREATE TABLE bare.events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint NOT NULL,
    at timestamptz NOT NULL, kind text NOT NULL, from_status text, to_status text, channel text, request_id text);
  CREATE SEQUENCE bare.due CACHE 100;
  INSERT INTO bare.orders
    SELECT 'M' || lpad(n::text, 26, '0'), n, md5(n::text)::uuid, 'prepay', 'monthly', 30, '{report_detail,manual_treatment}',
      2900, 'oBare' || lpad(n::text, 23, '0'), 'wx0000000000000000', '1900000000', 'wx' || n, now(), now()
    FROM generate_series(1, ${waiting}) n;
  INSERT INTO bare.subscriptions SELECT user_id, 0, NULL FROM bare.orders;`

const pay = `
  WITH due AS (SELECT 'M' || lpad(nextval('bare.due')::text, 26, '0') AS out_trade_no),
  moved AS (UPDATE bare.orders o SET status = 'paid', transaction_id = '42000000000000' || right(o.out_trade_no, 14),
      paid_at = now(), confirmed_at = now()
    FROM due WHERE o.out_trade_no = due.out_trade_no AND o.status = 'prepay'
    RETURNING o.id, o.user_id, o.plan_code, o.days, o.features),
  extended AS (UPDATE bare.subscriptions s SET seq = seq + 1,
      expires_at = greatest(now(), coalesce(expires_at, now())) + moved.days * interval '24 hours'
    FROM moved WHERE s.user_id = moved.user_id RETURNING s.user_id, s.seq, s.expires_at),
  granted AS (INSERT INTO bare.grants
    SELECT m.user_id, e.seq, 'purchase', m.id, m.plan_code, m.days, m.features, now(), NULL, e.expires_at
    FROM moved m JOIN extended e ON e.user_id = m.user_id)
  INSERT INTO bare.events (order_id, at, kind, from_status, to_status, channel, request_id)
  SELECT id, now(), 'pay', 'prepay', 'paid', 'notification', 'bare' FROM moved`

const debian = '/usr/lib/postgresql'

/** The load generator of PostgreSQL, where one is installed. */
function findPgbench(): string | null {
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : []
  const folders = [
    ...config.searchPath.split(':'),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path)) ?? null
}

export type BareMinimum = {
  /** By which program. */
  by: string
  /** Pays so many orders over so many connections; answers how many. */
  pay: (count: number, connections: number) => Promise<number>
  close: () => Promise<void>
}

async function runPgbench(pgbench: string, url: string, args: readonly string[]): Promise<void> {
  const child = spawn(pgbench, [...args, url], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [, problem, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`pgbench: ${problem}`)
}

const inTurns = (pool: Pool) => async (count: number, connections: number) => {
  const each = Math.floor(count / connections)
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let at = 0; at < each; at += 1) await pool.query({ name: 'bare-pay', text: pay })
    }),
  )
  return each * connections
}

/**
 * The floor of every payment: order, grant, subscription and event moved by one statement on tables with their keys only,
 * on the same server; by pgbench with prepared statements where it is installed, else by a bare client.
 */
export async function openBareMinimum({ environment, folder }: BenchWorld): Promise<BareMinimum> {
  const url = environment['DATABASE_URL'] ?? ''
  const setup = openPool(url, { maxConnections: 1, statementTimeoutMs: 0 })
  await setup.query(tables)
  await setup.query('VACUUM ANALYZE bare.orders, bare.subscriptions')
  await setup.end()
  const pool = openPool(url, { maxConnections: 10 })
  const pgbench = findPgbench()
  if (pgbench === null) return { by: 'a bare client', pay: inTurns(pool), close: () => pool.end() }
  const script = join(folder, 'bare-minimum.sql')
  writeFileSync(script, `${pay.replaceAll('\n', ' ').trim()};\n`)
  return {
    by: 'pgbench',
    pay: async (count, connections) => {
      const each = Math.floor(count / connections)
      const load = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-t', String(each)]
      await runPgbench(pgbench, url, [...load, '-f', script])
      return each * connections
    },
    close: () => pool.end(),
  }
}
