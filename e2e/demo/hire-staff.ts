import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ConsoleApi } from '../support/call-console.ts'
import { enrolOperator } from '../support/enrol-operator.ts'
import { hireOperator } from '../support/hire-operator.ts'
import { type Colleague, Staff } from './staff.ts'

type Hiring = { file: string; databaseUrl: string; api: ConsoleApi }

async function hire(role: keyof Staff, mark: string, { databaseUrl, api }: Hiring): Promise<Colleague> {
  const email = `demo-${role}-${mark}@meridian.local`
  const hired = await hireOperator({ email, role, databaseUrl })
  return { ...hired, authenticator: await enrolOperator(hired, api) }
}

/**
 * The operators who decide in the demo, with passwords and authenticators: made once by the command that makes
 * operators, and kept in this file of their own machine.
 */
export async function hireStaff(hiring: Hiring): Promise<Staff> {
  const { file } = hiring
  if (existsSync(file)) return Staff.parse(JSON.parse(readFileSync(file, 'utf8')))
  const mark = randomBytes(3).toString('hex')
  const staff = {
    owner: await hire('owner', mark, hiring),
    finance: await hire('finance', mark, hiring),
    operator: await hire('operator', mark, hiring),
  }
  writeFileSync(file, `${JSON.stringify(staff, null, 2)}\n`, { mode: 0o600 })
  return staff
}
