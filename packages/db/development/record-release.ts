import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readMigrations } from '../src/read-migrations.ts'
import { recordRelease } from './previous-release.ts'

const checkout = join(import.meta.dirname, '../../..')

/** The named statements that the API's tests send, those of these files or all; by name. */
function collectStatements(testFiles: readonly string[]): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-statements-'))
  const notes = join(folder, 'statements')
  const preload = pathToFileURL(join(import.meta.dirname, 'note-statements.mjs')).href
  try {
    execFileSync('npm', ['exec', '--', 'vitest', 'run', ...testFiles], {
      cwd: join(checkout, 'apps/api'),
      env: { ...process.env, NODE_OPTIONS: `--import ${preload}`, MERIDIAN_STATEMENTS: notes },
      stdio: 'inherit',
    })
    const found = readFileSync(notes, 'utf8').trimEnd().split('\n').sort().map(readNote)
    return Object.fromEntries(found.filter(([, text]) => !/^(BEGIN|COMMIT|ROLLBACK)$/.test(text)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readNote(line: string): [name: string, text: string] {
  const { name, text }: { name: string; text: string } = JSON.parse(line)
  return [name, text]
}

const manifest: { version: string } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
recordRelease({
  version: manifest.version,
  migrations: await readMigrations(join(import.meta.dirname, '../prisma/migrations')),
  statements: collectStatements(process.argv.slice(2)),
})
