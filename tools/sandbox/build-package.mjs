import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writePackage } from '@meridian/packing'
import { buildPhone } from './build-phone.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
const target = path.resolve(process.argv[2] ?? path.join(folder, 'dist/package'))

// The sandbox without the parts that need an API's database, as others install it.
await writePackage({
  folder,
  target,
  entries: { '.': 'src/index.ts' },
  programs: { 'meridian-sandbox': 'src/cli.ts' },
  files: ['phone'],
  code: { platform: 'node', target: 'node20' },
})
await buildPhone(path.join(target, 'phone'))
