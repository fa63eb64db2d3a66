import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
/** The package as it leaves this repository: another folder where one is named. */
const target = path.resolve(process.argv[2] ?? here('dist'))

/** Each form says by a file of its own which one it is, and has its own declarations: a tool may take either. */
const forms = { esm: 'module', cjs: 'commonjs' }

async function writeCode(form) {
  await build({
    entryPoints: [here('src/index.ts')],
    outfile: path.join(target, form, 'index.js'),
    bundle: true,
    minify: true,
    format: form,
    target: 'es2018',
    logLevel: 'warning',
  })
}

/** The declarations are the same for both: which kind of module they describe is told by the folder. */
function writeDeclarations() {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const made = path.join(target, 'declarations')
  const { status } = spawnSync(
    process.execPath,
    [compiler, '-p', here('tsconfig.build.json'), '--outDir', made],
    { stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('the declarations could not be written')
  for (const name of readdirSync(made)) {
    const text = readFileSync(path.join(made, name), 'utf8').replace(/(['"]\.\/[\w-]+)\.ts(?=['"])/g, '$1.js')
    for (const form of Object.keys(forms)) writeFileSync(path.join(target, form, name), text)
  }
  rmSync(made, { recursive: true })
}

/** The English one links to the Chinese one. */
const documents = ['README.md', 'README.zh-CN.md']

const { name, version } = JSON.parse(readFileSync(here('package.json'), 'utf8'))
const formOf = (form) => ({ types: `./${form}/index.d.ts`, default: `./${form}/index.js` })

rmSync(target, { recursive: true, force: true })
for (const [form, type] of Object.entries(forms)) {
  mkdirSync(path.join(target, form), { recursive: true })
  await writeCode(form)
  writeFileSync(path.join(target, form, 'package.json'), `${JSON.stringify({ type })}\n`)
}
writeDeclarations()
writeFileSync(
  path.join(target, 'package.json'),
  `${JSON.stringify(
    {
      name,
      version,
      type: 'commonjs',
      main: './cjs/index.js',
      module: './esm/index.js',
      types: './cjs/index.d.ts',
      // Which folder the developer tools of WeChat copy when they build npm packages.
      miniprogram: 'cjs',
      exports: {
        '.': { import: formOf('esm'), require: formOf('cjs') },
        './package.json': './package.json',
      },
      files: ['esm', 'cjs', ...documents],
      sideEffects: false,
    },
    null,
    2,
  )}\n`,
)
for (const document of documents) writeFileSync(path.join(target, document), readFileSync(here(document)))
