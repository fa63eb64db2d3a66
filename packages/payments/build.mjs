import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writePackage } from '@meridian/packing'

const folder = fileURLToPath(new URL('.', import.meta.url))

await writePackage({
  folder,
  target: path.resolve(process.argv[2] ?? path.join(folder, 'dist')),
  entries: { '.': 'src/index.ts', './testing': 'src/testing/index.ts' },
  code: { platform: 'node', target: 'node20' },
  types: { '@types/node': '>=20' },
})
