import { readdirSync } from 'node:fs'
import { ownPackagesOnly } from '@meridian/process/own-packages-only'
import { build } from 'esbuild'

const commands = readdirSync(new URL('./src/commands/', import.meta.url)).map(
  (file) => `src/commands/${file}`,
)

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/main.ts', ...commands],
  outdir: process.argv[2] ?? 'dist',
  outbase: 'src',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  plugins: [ownPackagesOnly],
})
