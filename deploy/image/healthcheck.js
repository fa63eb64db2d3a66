// Whether the program of this container answers: exit code 0 or 1. Without a name it is the one that process 1 runs.
import { readFileSync } from 'node:fs'

/** Where each program that serves answers while it lives. */
const doors = {
  api: { setting: 'PORT', port: 4000, path: '/healthz' },
  worker: { setting: 'PORT', port: 4000, path: '/healthz' },
  console: { setting: 'ADMIN_PORT', port: 3000, path: '/healthz' },
  sandbox: { setting: 'SANDBOX_PORT', port: 4100, path: '/' },
}

/** An answer that takes longer is none. */
const patienceMs = 2_500

/** The word after meridian.js, also where an init program stands before it. */
function programOfContainer() {
  const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0')
  const index = words.findIndex((word) => word.endsWith('meridian.js'))
  if (index < 0) throw new Error('process 1 is no program of Meridian: name the program')
  return words[index + 1] || 'api'
}

/** An address of this machine where `HOST` is any. @param {string | undefined} host */
function reachable(host) {
  if (!host || host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** @param {string[]} args a program; with --ready whether it wants requests, not only whether it lives */
async function check(args) {
  const name = args.find((word) => word !== '--ready') ?? programOfContainer()
  const door = Object.entries(doors).find(([program]) => program === name)?.[1]
  // A command lives as long as its process does.
  if (door === undefined) return
  const path = args.includes('--ready') && name !== 'sandbox' ? '/readyz' : door.path
  const { HOST: host, [door.setting]: port } = process.env
  const url = `http://${reachable(host)}:${port || door.port}${path}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs) }).catch((error) => {
    throw new Error(`${name} does not answer: ${error.cause?.code ?? error.message}`)
  })
  if (!answer.ok) throw new Error(`${name} answers ${answer.status}`)
}

await check(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`healthcheck: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
