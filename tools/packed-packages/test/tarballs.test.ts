import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { describe, expect, inject, test } from 'vitest'

/** What each package may hold besides its two forms. */
const own = {
  'miniprogram-client': /^$/,
  payments: /^testing\/package\.json$/,
  sandbox: /^(esm\/cli\.js|phone\/(index\.html|phone\.js|(phone|care|virtual)\.css))$/,
}
/** What must be installed beside each, at most. */
const beside = {
  'miniprogram-client': [],
  payments: ['@types/node', 'fast-xml-parser', 'zod'],
  sandbox: ['fast-xml-parser', 'zod'],
}

const form =
  /^(esm|cjs)\/([\w/-]+\.d\.ts|(\w+\/)?index\.js|package\.json)$|^esm\/shared-\w+\.js$|^(package\.json|LICENSE|README(\.zh-CN)?\.md)$/

describe.each(['miniprogram-client', 'payments', 'sandbox'] as const)('the packed %s', (name) => {
  const read = () => readFileSync(inject('tarballs')[name])
  const files = () => createPackageFromTarballData(read())

  test('is found with its types by every way of resolving a module', async () => {
    const checked = await checkPackage(files())
    expect(checked.types).toMatchObject({ kind: 'included' })
    expect('problems' in checked && checked.problems).toEqual([])
  })

  test('is what publint wants of a package', async () => {
    const tarball = Uint8Array.from(read()).buffer
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('holds its code, its types and its words in two languages, and nothing else', () => {
    const packed = files()
    const held = packed.listFiles().map((file) => file.replace(/^\/node_modules\/@meridian\/[\w-]+\//, ''))
    expect(held.filter((file) => !form.test(file) && !own[name].test(file))).toEqual([])
    expect(held).toEqual(expect.arrayContaining(['README.md', 'README.zh-CN.md', 'LICENSE']))
    const { dependencies = {}, description } = JSON.parse(
      packed.readFile(`/node_modules/@meridian/${name}/package.json`),
    )
    expect(Object.keys(dependencies).sort()).toEqual(beside[name])
    expect(description).not.toBe('')
  })
})
