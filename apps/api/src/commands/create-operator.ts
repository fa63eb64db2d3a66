import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { NewPassword, OperatorRole, problems } from '@meridian/contracts'
import { openDatabase } from '@meridian/db'
import { z } from 'zod'
import { readDatabaseUrl } from '../config.ts'
import { createOperator, firstPasswordHours, keepsFirstPassword } from '../operators/create-operator.ts'
import { newPassword, requireGoodPassword } from '../operators/passwords.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { runCommand } from './run-command.ts'

const usage = `usage: npm run operator:create -- --email somebody@example.com --role ${OperatorRole.options.join('|')} [--name NAME]`

const options = {
  email: { type: 'string' },
  role: { type: 'string' },
  name: { type: 'string' },
  'password-stdin': { type: 'boolean', default: false },
  'if-missing': { type: 'boolean', default: false },
  trial: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

const Wanted = z.object({
  email: z.email().max(254),
  role: OperatorRole,
  name: z.string().min(1).max(64).optional(),
})

function readArguments() {
  const { values } = parseArgs({ options, args: process.argv.slice(2) })
  const wanted = Wanted.safeParse(values)
  if (!wanted.success) throw new Error(usage)
  return { ...values, ...wanted.data }
}

async function readPassword(email: string, fromStdin: boolean): Promise<string> {
  if (!fromStdin) return newPassword()
  const given = NewPassword.safeParse((await text(process.stdin)).trim())
  if (!given.success) throw new Error('the password must have 12 to 128 characters')
  await requireGoodPassword(given.data, email).catch((refusal: unknown) => {
    throw refusal instanceof DomainError ? new Error(problems[refusal.code].en) : refusal
  })
  return given.data
}

await runCommand('operator:create', async () => {
  const wanted = readArguments()
  const password = await readPassword(wanted.email, wanted['password-stdin'])
  await using database = openDatabase(readDatabaseUrl(process.env), {
    applicationName: 'meridian-operator-create',
  })
  const { email, role, name = email.split('@')[0] ?? email } = wanted
  const operator = { email, role, name, password, mustChangePassword: !wanted.trial }
  const created = await createOperator(database.prisma, operator)
  const known = operator.email.toLowerCase()
  if (!created && !wanted['if-missing']) throw new Error(`there is already an operator ${known}`)
  const first = created !== null || (await keepsFirstPassword(database.prisma, operator))
  process.stdout.write(
    wanted.json
      ? `${JSON.stringify({ email, created: created !== null, must_change_password: first })}\n`
      : created
        ? `Created ${known} (${role}).\nFirst password, to be changed at sign-in within ${firstPasswordHours} hours: ${password}\n`
        : `There is already an operator ${known}.\n`,
  )
})
