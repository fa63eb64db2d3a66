import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const checkout = path.resolve(import.meta.dirname, '../../..')

/** What builds each package into the folder that it is given. */
const builds = {
  'miniprogram-client': 'packages/miniprogram-client/build.mjs',
  payments: 'packages/payments/build.mjs',
  sandbox: 'tools/sandbox/build-package.mjs',
} as const

type Packed = Record<keyof typeof builds, string>

declare module 'vitest' {
  export interface ProvidedContext {
    tarballs: Packed
  }
}

/** Nothing here may reach a registry. */
export const offline = { ...process.env, npm_config_offline: 'true' }

const run = (cwd: string, command: string, ...words: string[]) =>
  promisify(execFile)(command, words, { cwd, env: offline })

async function pack(folder: string, name: keyof typeof builds): Promise<string> {
  const target = path.join(folder, name)
  await run(checkout, process.execPath, builds[name], target)
  await run(folder, 'npm', 'pack', target)
  const tarball = readdirSync(folder).find((file) => file.startsWith(`meridian-${name}-`))
  if (tarball === undefined || !existsSync(path.join(folder, tarball))) throw new Error(`${name}: no tarball`)
  return path.join(folder, tarball)
}

/** Builds and packs each package once, for all tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'meridian-packed-'))
  project.provide('tarballs', {
    'miniprogram-client': await pack(folder, 'miniprogram-client'),
    payments: await pack(folder, 'payments'),
    sandbox: await pack(folder, 'sandbox'),
  })
  return () => rmSync(folder, { recursive: true, force: true })
}
