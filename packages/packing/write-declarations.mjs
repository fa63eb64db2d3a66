import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const checkout = fileURLToPath(new URL('../..', import.meta.url))
const compiler = path.join(checkout, 'node_modules/typescript-native/bin/tsc')

/** What is in quotes after `from`, `import` or `import(`. */
const specifiers = /(?<=\b(?:from|import)\s*\(?\s*['"])[^'"]+(?=['"])/g

/**
 * The files of declarations that these reach by relative imports, themselves included.
 * @param {string[]} entries
 * @returns {Set<string>}
 */
function reachedFrom(entries) {
  const reached = new Set(entries)
  for (const file of reached)
    for (const name of readFileSync(file, 'utf8').match(specifiers) ?? []) {
      if (name.startsWith('@meridian/'))
        throw new Error(`${file} names ${name}, which nobody can install: a public type must not need it`)
      if (name.startsWith('.')) reached.add(path.resolve(path.dirname(file), name.replace(/\.ts$/, '.d.ts')))
    }
  return reached
}

/** @param {string[]} sources @param {string} made where the compiler writes, in the folders of the checkout */
function compile(sources, made) {
  const config = `${made}.json`
  const compilerOptions = {
    ...{
      noEmit: false,
      incremental: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
    },
    ...{ rootDir: checkout, outDir: made, types: ['node'] },
    typeRoots: [path.join(checkout, 'node_modules/@types')],
  }
  const project = { extends: path.join(checkout, 'tsconfig.base.json'), compilerOptions, files: sources }
  writeFileSync(config, JSON.stringify(project))
  const { status } = spawnSync(process.execPath, [compiler, '-p', config], { stdio: 'inherit' })
  rmSync(config)
  if (status !== 0) throw new Error('the declarations could not be written')
}

/**
 * Writes the declarations of the entries, and of what they reach, into each form: they are the same, and which kind of
 * module they describe is told by the folder.
 * @param {{ folder: string, target: string, entries: Record<string, string> }} packing
 * @param {string[]} forms
 */
export function writeDeclarations({ folder, target, entries }, forms) {
  const made = path.join(target, 'declarations')
  const sources = Object.values(entries)
  compile(
    sources.map((source) => path.join(folder, source)),
    made,
  )
  const within = path.join(made, path.relative(checkout, folder))
  for (const file of reachedFrom(
    sources.map((source) => path.join(within, source.replace(/\.ts$/, '.d.ts'))),
  )) {
    const text = readFileSync(file, 'utf8').replace(specifiers, (name) =>
      name.startsWith('.') ? name.replace(/\.ts$/, '.js') : name,
    )
    for (const form of forms) {
      const written = path.join(target, form, path.relative(path.join(within, 'src'), file))
      mkdirSync(path.dirname(written), { recursive: true })
      writeFileSync(written, text)
    }
  }
  rmSync(made, { recursive: true })
}
