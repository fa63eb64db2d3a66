import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writePackage } from '@meridian/packing'

const folder = fileURLToPath(new URL('.', import.meta.url))

await writePackage({
  folder,
  target: path.resolve(process.argv[2] ?? path.join(folder, 'dist')),
  entries: { '.': 'src/index.ts' },
  code: { minify: true, target: 'es2018' },
  // Which folder the developer tools of WeChat copy when they build npm packages.
  manifest: { miniprogram: 'cjs' },
})
