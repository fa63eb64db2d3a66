import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))

/** Writes the files of the page that plays the phone. @param {string} folder */
export async function buildPhone(folder) {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [
      here('src/phone/phone.ts'),
      ...['phone', 'care', 'virtual'].map((name) => here(`src/phone/${name}.css`)),
    ],
    outdir: folder,
    bundle: true,
    target: ['es2022', 'chrome110', 'safari16', 'firefox115'],
    format: 'esm',
    minify: true,
    logLevel: 'warning',
  })
  copyFileSync(here('src/phone/index.html'), path.join(folder, 'index.html'))
}
