import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { ImportKind, importFaultWords } from '@meridian/contracts'
import { systemRuntime } from '@meridian/payments'
import { z } from 'zod'
import { readConfig } from '../config.ts'
import { importFile } from '../imports/import-file.ts'
import type { ImportView } from '../imports/keep-import.ts'
import { undoImport } from '../imports/undo-import.ts'
import { openLog } from '../platform/log.ts'
import { closeServices, openServices, type Services } from '../services.ts'
import { checkClock } from '../startup/start-checks.ts'
import { runCommand } from './run-command.ts'

const usage =
  'usage: npm run import -- --file people.csv --kind subscribers|orders|bindings [--dry-run], or --undo <id>'

const Asked = z.union([
  z.strictObject({ undo: z.uuid() }),
  z.strictObject({ file: z.string().min(1), kind: ImportKind, 'dry-run': z.boolean().default(false) }),
])

function readAsked(): z.infer<typeof Asked> {
  const options = {
    file: { type: 'string' },
    kind: { type: 'string' },
    'dry-run': { type: 'boolean' },
    undo: { type: 'string' },
  } as const
  const asked = Asked.safeParse(parseArgs({ options, args: process.argv.slice(2) }).values)
  if (!asked.success) throw new Error(usage)
  return asked.data
}

function tell({ id, state, lines, users, days, fen, faults }: ImportView): void {
  for (const { line, column, code } of faults)
    process.stdout.write(
      `line ${line}${column === null ? '' : `, ${column}`}: ${importFaultWords[code][1]}\n`,
    )
  process.stdout.write(`import ${id} ${state}: ${lines} lines, ${users} users, ${days} days, ${fen} fen\n`)
  if (faults.length > 0) process.stdout.write(`${faults.length} faults: nothing was written.\n`)
  if (faults.length > 0) process.exitCode = 1
}

const obstacleWords = {
  later_ledger_entry: 'the ledger of its user has later entries',
  refunded: 'its order has a refund or a second payment',
  binding_changed: 'its binding was changed or ended',
} as const

async function undo({ database: { pool } }: Services, id: string): Promise<void> {
  const { obstacles, lines } = await undoImport(pool, id)
  for (const { line, why } of obstacles) process.stdout.write(`line ${line}: ${obstacleWords[why]}\n`)
  const told = obstacles.length > 0 ? 'nothing was taken back' : `${lines} lines taken back`
  process.stdout.write(`import ${id}: ${told}.\n`)
  if (obstacles.length > 0) process.exitCode = 1
}

// What lives is the same 20 MiB for every file; left alone, V8 lets garbage grow to four times that before it collects it.
setFlagsFromString('--heap-growing-percent=25')

await runCommand('import', async () => {
  const asked = readAsked()
  const services = openServices(readConfig(process.env), openLog('warn'), systemRuntime)
  try {
    await checkClock(services, () => undefined)
    if ('undo' in asked) await undo(services, asked.undo)
    else tell(await importFile(services, { file: asked.file, kind: asked.kind, dryRun: asked['dry-run'] }))
  } finally {
    await closeServices(services)
  }
})
