import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

await build({
  entryPoints: [here('src/index.ts')],
  outfile: here('dist/meridian.js'),
  bundle: true,
  minify: true,
  format: 'cjs',
  target: 'es2018',
  logLevel: 'warning',
})
