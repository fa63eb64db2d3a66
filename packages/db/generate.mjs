// Makes src/generated: Prisma's client and the list of migrations. Does nothing when neither has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const folder = import.meta.dirname
const generated = join(folder, 'src/generated')
const stampFile = join(generated, 'stamp')
const lockFile = join(generated, 'lock')
const prismaPackage = createRequire(import.meta.url).resolve('prisma/package.json')

const migrations = readMigrations()
const sources = [join(folder, 'prisma/schema.prisma'), import.meta.filename, prismaPackage]
const stamp = sha256(JSON.stringify([migrations, ...sources.map(readText)]))

if (!isCurrent()) {
  takeLock()
  try {
    if (!isCurrent()) generate()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

function isCurrent() {
  return (
    existsSync(stampFile) && readText(stampFile) === stamp && existsSync(join(generated, 'prisma/client.ts'))
  )
}

function generate() {
  rmSync(stampFile, { force: true })
  generateClient()
  replaceFile(
    join(generated, 'migrations.ts'),
    `export const migrations = ${JSON.stringify(migrations, null, 2)}\n`,
  )
  replaceFile(stampFile, stamp)
}

function generateClient() {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(prismaPackage, '../build/index.js'), 'generate'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        // The command never starts this engine, but without one at hand it would download it.
        PRISMA_SCHEMA_ENGINE_BINARY: join(folder, 'schema-engine-stub'),
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    },
  )
  if (status !== 0) throw new Error(`prisma generate failed\n${stdout}${stderr}`)
}

// The list is code, so that a bundled program knows it without reading a folder. Prisma's checksum is the file's SHA-256.
function readMigrations() {
  const root = join(folder, 'prisma/migrations')
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readText(join(root, name, 'migration.sql'))
      return { name, checksum: sha256(sql), sql }
    })
}

function takeLock() {
  mkdirSync(generated, { recursive: true })
  const patienceEnds = Date.now() + 120_000
  while (!tryLock()) {
    if (Date.now() > patienceEnds) throw new Error(`${lockFile} is held by another npm run generate`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
}

function tryLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isAlive(holderOfLock())) rmSync(lockFile, { force: true })
    return false
  }
}

function holderOfLock() {
  return existsSync(lockFile) ? Number(readText(lockFile)) : process.pid
}

function isAlive(pid) {
  try {
    // Between its creation and its first byte the lock names nobody (0): take that for alive.
    return pid === 0 || process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function replaceFile(file, text) {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

function readText(file) {
  return readFileSync(file, 'utf8')
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex')
}
