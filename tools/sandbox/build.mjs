import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPhone } from './build-phone.mjs'
import './build-package.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

await build({
  entryPoints: [here('src/main.ts')],
  outfile: here('dist/sandbox.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: ['pg', 'cron-parser'],
  sourcemap: true,
  logLevel: 'warning',
})
await buildPhone(here('dist/phone'))
