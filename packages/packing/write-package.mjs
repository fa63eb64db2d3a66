import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ownPackagesOnly } from '@meridian/process/own-packages-only'
import { build } from 'esbuild'
import { checkout, writeDeclarations } from './write-declarations.mjs'

/**
 * @typedef {object} Packing what is particular to one package; all paths are within its folder
 * @property {string} folder the package in this repository
 * @property {string} target where the package is written; emptied first
 * @property {Record<string, string>} entries the source of each export, by its name in `exports`
 * @property {Record<string, string>} [programs] the source of each command; commands are ES modules
 * @property {string[]} [files] further files and folders that are taken along, relative to the target
 * @property {import('esbuild').BuildOptions} code how the code is made: platform, target, size
 * @property {Record<string, unknown>} [manifest] further fields of its package.json
 * @property {Record<string, string>} [types] dependencies that only the declarations have
 */

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Each form says by a file of its own which one it is, and has its own declarations: a tool may take either. */
const forms = /** @type {const} */ ({ esm: 'module', cjs: 'commonjs' })

/** @typedef {keyof typeof forms} Form */

/** What `import.meta.url` means where there is none: the address of the same file. */
const addressOfFile = {
  define: { 'import.meta.url': 'addressOfThisFile' },
  banner: { js: "const addressOfThisFile = require('node:url').pathToFileURL(__filename).href" },
}

/** The English one links to the Chinese one. */
const documents = ['README.md', 'README.zh-CN.md']

/** `src/testing/index.ts` → `testing/index`, the place of an export within a form. @param {string} source */
const placeOf = (source) => source.replace(/^src\//, '').replace(/\.ts$/, '')

/** @param {Packing} packing @param {Form} form @returns {Promise<string[]>} the packages that the code loads */
async function writeCode({ folder, target, entries, programs = {}, code }, form) {
  const inFolder = (/** @type {string} */ source) => path.join(folder, source)
  const sources = [...Object.values(entries), ...(form === 'esm' ? Object.values(programs) : [])]
  const { metafile } = await build({
    entryPoints: sources.map(inFolder),
    outdir: path.join(target, form),
    outbase: inFolder('src'),
    bundle: true,
    splitting: form === 'esm' && sources.length > 1,
    chunkNames: 'shared-[hash]',
    format: form,
    plugins: [ownPackagesOnly],
    ...(form === 'cjs' && code.platform === 'node' && addressOfFile),
    metafile: true,
    logLevel: 'warning',
    ...code,
  })
  const imported = Object.values(metafile?.outputs ?? {}).flatMap(({ imports }) => imports)
  return imported.filter(({ external }) => external).map(({ path: name }) => name)
}

/** `@scope/name/part` → `@scope/name`; null for what Node itself brings. @param {string} specifier */
const packageOf = (specifier) =>
  specifier.startsWith('node:') ? null : /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0]

/**
 * What has to be installed beside the package: what its code loads, in the versions that this repository tests, and
 * later ones that promise to be compatible.
 * @param {string[]} loaded
 */
function dependenciesOf(loaded) {
  const names = [...new Set(loaded.map(packageOf).filter((name) => typeof name === 'string'))].sort()
  return Object.fromEntries(
    names.map((name) => [
      name,
      `^${readJson(path.join(checkout, 'node_modules', name, 'package.json')).version}`,
    ]),
  )
}

/** @param {Form} form @param {string} source */
const formOf = (form, source) => ({
  types: `./${form}/${placeOf(source)}.d.ts`,
  default: `./${form}/${placeOf(source)}.js`,
})

/** `./testing` → `testing`: the exports that have a name of their own. @param {Packing} packing */
const namedEntries = ({ entries }) =>
  Object.entries(entries).flatMap(([place, source]) =>
    place === '.' ? [] : [{ folder: place.slice(2), source }],
  )

/** For tools that know no `exports`: a folder of an export's name that says where its code and types are. @param {Packing} packing */
function writeFolders(packing) {
  for (const { folder, source } of namedEntries(packing)) {
    const up = path.relative(folder, '.')
    const place = `${up}/cjs/${placeOf(source)}`
    mkdirSync(path.join(packing.target, folder), { recursive: true })
    writeFileSync(
      path.join(packing.target, folder, 'package.json'),
      `${JSON.stringify({ main: `${place}.js`, types: `${place}.d.ts` })}\n`,
    )
  }
}

/** @param {Packing} packing @param {Record<string, string>} dependencies */
function manifestOf(packing, dependencies) {
  const { folder, entries, programs = {}, files = [], manifest = {} } = packing
  const { name, version, description } = readJson(path.join(folder, 'package.json'))
  const { license, engines } = readJson(path.join(checkout, 'package.json'))
  const main = entries['.'] ?? ''
  const commands = Object.entries(programs).map(([command, source]) => [command, `esm/${placeOf(source)}.js`])
  return {
    ...{ name, version, description, license, type: 'commonjs' },
    main: formOf('cjs', main).default,
    module: formOf('esm', main).default,
    types: formOf('cjs', main).types,
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([place, source]) => [
          place,
          { import: formOf('esm', source), require: formOf('cjs', source) },
        ]),
      ),
      './package.json': './package.json',
    },
    ...(commands.length > 0 && { bin: Object.fromEntries(commands) }),
    files: [
      ...Object.keys(forms),
      ...namedEntries(packing).map((entry) => entry.folder),
      ...files,
      ...documents,
      'LICENSE',
    ],
    sideEffects: false,
    engines: { node: engines.node },
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    ...manifest,
  }
}

/**
 * Writes a package as others install it: `npm pack` of the target makes it one file. What it takes of our own packages is
 * within it, what it takes of others is in its `dependencies`.
 * @param {Packing} packing
 * @throws Error where declarations cannot be written or would name a package of ours that is not published
 */
export async function writePackage(packing) {
  const { folder, target } = packing
  rmSync(target, { recursive: true, force: true })
  const loaded = []
  for (const form of /** @type {Form[]} */ (Object.keys(forms))) {
    mkdirSync(path.join(target, form), { recursive: true })
    loaded.push(...(await writeCode(packing, form)))
    writeFileSync(path.join(target, form, 'package.json'), `${JSON.stringify({ type: forms[form] })}\n`)
  }
  writeDeclarations(packing, Object.keys(forms))
  writeFolders(packing)
  const dependencies = { ...dependenciesOf(loaded), ...packing.types }
  writeFileSync(
    path.join(target, 'package.json'),
    `${JSON.stringify(manifestOf(packing, dependencies), null, 2)}\n`,
  )
  for (const document of documents)
    if (existsSync(path.join(folder, document)))
      cpSync(path.join(folder, document), path.join(target, document))
  cpSync(path.join(checkout, 'LICENSE'), path.join(target, 'LICENSE'))
}
