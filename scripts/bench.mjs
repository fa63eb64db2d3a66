import { ownPackagesOnly } from '@meridian/process/own-packages-only'
import { build } from 'esbuild'
import { buildPrograms } from './build-programs.mjs'
import { checkout, inCheckout } from './checkout.mjs'
import { runCommand } from './run-command.mjs'
import { step } from './show-progress.mjs'
import { sayPageWeights } from './weigh-pages.mjs'

const folder = inCheckout('node_modules', '.cache', 'meridian-bench')

const { BENCH_PROFILE: profiles } = { ...process.env }
const profiling = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []

/**
 * `npm run bench`: what is measured, each figure beside its floor in the same run. With names, only these parts.
 * @param {string[]} parts
 */
export async function bench(parts) {
  if (parts.length === 0 || parts.includes('payments')) {
    const command = /** @type {const} */ (['npm', 'run', '--silent', 'bench', '-w', '@meridian/payments'])
    const { code } = await runCommand(command, { cwd: checkout, output: 'show' })
    if (code !== 0 || parts.length === 1) return code
  }
  // Growth is measured in process alone.
  if (parts.some((part) => part !== 'growth') || parts.length === 0)
    await buildPrograms(['@meridian/api', '@meridian/admin'])
  await step('Bundling tools/bench/', bundle)
  if (parts.length === 0 || parts.includes('clicks')) sayPageWeights()
  const command = /** @type {const} */ ([process.execPath, ...profiling, `${folder}/main.js`])
  const { code } = await runCommand([...command, ...parts], { cwd: checkout, output: 'show' })
  return code
}

// As it ships: what is measured in process must be the same code as in the API's own bundle.
async function bundle() {
  await build({
    absWorkingDir: checkout,
    entryPoints: ['tools/bench/main.ts', 'tools/bench/bare-server.ts', 'tools/bench/look-up-server.ts'],
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [ownPackagesOnly],
  })
}
