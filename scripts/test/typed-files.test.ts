import { readdirSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { typedParts } from '../check.mjs'
import { inCheckout } from '../checkout.mjs'

/** What a configuration reads, and how strictly. */
function read(file: string) {
  const path = inCheckout(file)
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
  const folder = path.slice(0, path.lastIndexOf('/'))
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder, {}, path)
  // Where a program stands and what an editor shows beside its verdicts changes no verdict.
  const { configFilePath: _path, plugins: _plugins, ...verdicts } = options
  return { fileNames, verdicts }
}

const folders = ['apps', 'packages', 'tools']
  .flatMap((group) => readdirSync(inCheckout(group)).map((name) => `${group}/${name}`))
  .concat('e2e', 'scripts')
  .filter((folder) => ts.sys.fileExists(inCheckout(folder, 'tsconfig.json')))
const parts = typedParts.map(({ project }) => read(project))

test('the folders with a configuration of their own are all found', () => {
  expect(folders.length).toBeGreaterThan(15)
})

test.each(folders)(
  '`npm run typecheck` reads every file of %s by the options that its folder has',
  (folder) => {
    const { fileNames, verdicts } = read(`${folder}/tsconfig.json`)
    expect(fileNames).not.toEqual([])
    const missing = fileNames.filter((file) => !parts.some(({ fileNames: all }) => all.includes(file)))
    expect(missing).toEqual([])
    const reading = parts.filter(({ fileNames: all }) => fileNames.some((file) => all.includes(file)))
    for (const part of reading) expect(part.verdicts).toEqual(verdicts)
  },
)
