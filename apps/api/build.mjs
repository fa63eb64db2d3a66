import { readdirSync } from 'node:fs'
import { build } from 'esbuild'

// Our own packages are TypeScript and are bundled; everything from the registry stays outside.
const ownPackagesOnly = {
  name: 'own-packages-only',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@meridian/') ? null : { path, external: true },
    ),
}

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
