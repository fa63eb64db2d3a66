// The image at work, by whoever gives this process a network of its own: `node scripts/run-image.mjs <image as JSON>`.
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { tsImport } from 'tsx/esm/api'
import { readSettingsFile } from './read-settings.mjs'
import { runContained, runInside, startContained } from './start-contained.mjs'

/**
 * @typedef {import('./start-contained.mjs').World} World
 * @typedef {import('./start-contained.mjs').Contained} Contained
 * @typedef {{ passed: number, failures: string[], figures: Record<string, number> }} Report
 */

/** @type {Report} */
const report = { passed: 0, failures: [], figures: {} }
const readyWithinMs = 60_000

/** @param {string} sentence @param {() => Promise<unknown>} look throws, or answers what was expected and what was found */
async function check(sentence, look) {
  try {
    await look()
    report.passed += 1
  } catch (error) {
    report.failures.push(`image: ${sentence}: ${error instanceof Error ? error.message : error}`)
  }
}

/** @param {unknown} found @param {unknown} wanted */
function same(found, wanted) {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
}

/** @param {string} path @param {object} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} */
async function ask(path, body, headers = {}) {
  const answer = await fetch(path, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status} ${await answer.text()}`)
  return answer.headers.get('content-type')?.includes('json') ? answer.json() : answer.text()
}

/** @template T @param {() => Promise<T>} look @returns {Promise<T>} its answer, as soon as it does not throw */
async function eventually(look) {
  for (const endsAt = performance.now() + readyWithinMs; ; await pause(20)) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > endsAt) throw error
    }
  }
}

/**
 * Starts a program, and measures until it wants requests.
 * @param {World} world
 * @param {{ name: string, ready: string, env?: Record<string, string> }} program
 */
async function startReady(world, { name, ready, env = {} }) {
  const startedAt = performance.now()
  const program = await startContained(world, [name], env)
  await check(`${name} gets ready`, async () => {
    await Promise.race([
      eventually(() => ask(ready)),
      program.ended.then(async (code) => {
        throw new Error(`it has ended with ${code}: ${await program.output}`)
      }),
    ])
    report.figures[`${name}: seconds until ready`] = (performance.now() - startedAt) / 1000
  })
  return { name, ready, program }
}

const tryToWrite = (/** @type {string} */ file) =>
  `try { require('node:fs').writeFileSync('${file}', ''); console.log('written') } catch (error) { console.log(error.code) }`

/** @param {Awaited<ReturnType<typeof startReady>>} running */
async function lookInside({ name, program }) {
  await check(`${name} runs as the image's user, without a capability`, async () => {
    const status = readFileSync(`/proc/${program.pid}/status`, 'utf8')
    same(/^Uid:\s+(\d+)\s+(\d+)/m.exec(status)?.slice(1), ['10001', '10001'])
    same(/^CapEff:\s+(\S+)/m.exec(status)?.[1], '0000000000000000')
  })
  await check(`${name} cannot write its own files nor any other`, async () => {
    for (const file of ['/app/x', '/app/console/.next/x', '/etc/x', '/x'])
      same((await runInside(program, ['node', '-e', tryToWrite(file)])).output.trim(), 'EROFS')
  })
  await check(`${name} is found healthy by the image's own check`, async () => {
    const [command = '', ...args] = program.world.image.healthcheck
    same(await runInside(program, [command, ...args]), { code: 0, output: '' })
  })
}

/** @param {Awaited<ReturnType<typeof startReady>>} running */
async function stop({ name, program }) {
  await check(`${name}, process 1, ends with 0 when it is asked to`, async () => {
    const startedAt = performance.now()
    process.kill(program.pid, 'SIGTERM')
    same(await program.ended, 0)
    report.figures[`${name}: seconds until ended`] = (performance.now() - startedAt) / 1000
  })
}

const api = 'http://127.0.0.1:4000'
const sandbox = 'http://127.0.0.1:4100'

async function buy() {
  const { code } = await ask(`${sandbox}/phone/login`, { user: 'somebody' })
  const { access_token: token } = await ask(`${api}/api/v1/auth/login`, { code })
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'one-purchase-of-the-image' }
  const { payment_params: params } = await ask(
    `${api}/api/v1/subscription/purchase`,
    { plan_code: 'monthly' },
    headers,
  )
  await ask(`${sandbox}/phone/pay`, { user: 'somebody', params })
  await eventually(async () =>
    same((await ask(`${api}/api/v1/subscription`, undefined, headers)).remaining_days, 30),
  )
}

/** A command that waits for a database which says nothing. @param {World} world */
async function interruptCommand(world) {
  const silent = createServer().listen(0, '127.0.0.1')
  const address = await new Promise((resolve) => silent.once('listening', () => resolve(silent.address())))
  const asked = new Promise((resolve) => silent.once('connection', resolve))
  const command = await startContained(world, ['ledger:verify'], {
    DATABASE_URL: `postgresql://nobody@127.0.0.1:${address.port}/none`,
  })
  ;(await asked).on('error', () => undefined)
  process.kill(command.pid, 'SIGTERM')
  same(await command.ended, 143)
  silent.close()
}

/** @param {World} world */
async function runCommands(world) {
  for (const args of [['migrate'], ['migrate'], ['ledger:verify'], ['audit:verify']])
    await check(`${args.join(' ')} runs to its end`, async () => {
      const startedAt = performance.now()
      const { code, output } = await runContained(world, args)
      if (code !== 0) throw new Error(output)
      report.figures[`${args[0]}: seconds`] ??= (performance.now() - startedAt) / 1000
    })
}

/** @param {World} world */
async function runPrograms(world) {
  await runCommands(world)
  const running = [await startReady(world, { name: 'sandbox', ready: sandbox })]
  Object.assign(world.env, readSettingsFile(join(world.shared, 'api.env')))
  const port = { PORT: '4001', METRICS_PORT: '9474' }
  for (const program of [
    { name: 'api', ready: `${api}/readyz`, env: { MERIDIAN_ROLE: 'api' } },
    { name: 'worker', ready: 'http://127.0.0.1:4001/readyz', env: port },
    { name: 'console', ready: 'http://127.0.0.1:3000/readyz' },
  ])
    running.push(await startReady(world, program))
  for (const one of running) await lookInside(one)
  await check('a purchase is paid', buy)
  await check('the console shows its page, with the scripts it names', async () => {
    const page = await ask('http://127.0.0.1:3000/sign-in')
    const [script] = /\/_next\/static\/[^"]+\.js/.exec(page) ?? []
    await ask(`http://127.0.0.1:3000${script}`)
  })
  await check('the metrics name the release', async () => {
    const metrics = await ask('http://127.0.0.1:9464/metrics')
    if (!/meridian_build_info\{version="0\.0\.0-test",commit="test"/.test(metrics))
      throw new Error('meridian_build_info is other')
  })
  await check('a command, process 1, ends when it is asked to', () => interruptCommand(world))
  for (const one of running.reverse()) await stop(one)
}

const secret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(36))).toString('base64url')

async function main() {
  /** @type {typeof import('@meridian/embedded-postgres/testing')} */
  const { startThrowawayServer } = await tsImport('@meridian/embedded-postgres/testing', import.meta.url)
  const database = await startThrowawayServer()
  const shared = mkdtempSync(join(tmpdir(), 'meridian-image-'))
  chownSync(shared, 10001, 10001)
  try {
    await runPrograms({
      image: JSON.parse(process.argv[2] ?? ''),
      shared,
      env: {
        DATABASE_URL: database.databaseUrl,
        JWT_SECRET: secret(),
        AUTH_SECRET: secret(),
        DATA_KEY: secret(),
        DRAIN_SECONDS: '1',
      },
    })
  } finally {
    await database.stop()
    rmSync(shared, { recursive: true, force: true })
  }
  process.stdout.write(JSON.stringify(report))
  process.exit(0)
}

await main()
