import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { ownPackagesOnly } from '@meridian/process/own-packages-only'
import { build } from 'esbuild'

const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
const { status } = spawnSync(process.execPath, [next, 'build'], {
  cwd: import.meta.dirname,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
})
if (status !== 0) process.exit(status ?? 1)

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/server/serve-console.ts'],
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
  plugins: [ownPackagesOnly],
})
