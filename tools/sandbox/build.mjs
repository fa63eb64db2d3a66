import { copyFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

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

mkdirSync(here('dist/phone'), { recursive: true })
await build({
  entryPoints: [
    here('src/phone/phone.ts'),
    ...['phone', 'care', 'virtual'].map((name) => here(`src/phone/${name}.css`)),
  ],
  outdir: here('dist/phone'),
  bundle: true,
  target: ['es2022', 'chrome110', 'safari16', 'firefox115'],
  format: 'esm',
  minify: true,
  logLevel: 'warning',
})
copyFileSync(here('src/phone/index.html'), here('dist/phone/index.html'))
