import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const bundle = async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: join(import.meta.dirname, '..'),
    entryPoints: ['src/index.ts'],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'cjs',
    target: 'es2018',
  })
  return { text: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) }
}

test('the client is at most 14 KB, minified', async () => {
  const { text } = await bundle()
  expect(text.length).toBeGreaterThan(1000)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(14 * 1024)
})

test('the client takes nothing but its own files into a mini-program', async () => {
  const { inputs, text } = await bundle()
  expect(inputs.filter((file) => !file.startsWith('src/'))).toEqual([])
  expect(text).not.toMatch(/\brequire\(|\bprocess\.|\bdocument\b|\bwindow\b/)
})
