import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseAddress, openAddress, tlsModeOf } from '../src/database-address.ts'

const address = 'postgresql://user:secret@db.internal:5432/meridian'
const caFile = join(tmpdir(), `meridian-ca-${process.pid}.pem`)
writeFileSync(caFile, 'authorities')

test('an address without a word about TLS is in plain text', () => {
  expect(openAddress(address)).toEqual({ connectionString: address, ssl: false, isPooled: false })
})

test('the driver never sees what an address says about TLS and poolers', () => {
  const opened = openAddress(databaseAddress(`${address}?sslmode=verify-full`, { caFile, isPooled: true }))
  expect(opened).toEqual({
    connectionString: address,
    ssl: { ca: 'authorities', rejectUnauthorized: true },
    isPooled: true,
  })
})

test.each([
  ['require', true, true],
  ['require', false, false],
  ['verify-ca', true, true],
  ['verify-full', true, false],
])('%s, with authorities of its own: %s, leaves the name unchecked: %s', (mode, hasFile, isNameFree) => {
  const given = databaseAddress(`${address}?sslmode=${mode}`, hasFile ? { caFile } : {})
  expect(openAddress(given).ssl).toMatchObject({ rejectUnauthorized: true })
  expect('checkServerIdentity' in Object(openAddress(given).ssl)).toBe(isNameFree)
})

test('what falls back to plain text without a word is refused', () => {
  expect(tlsModeOf(`${address}?sslmode=prefer`)).toBeNull()
  expect(() => openAddress(`${address}?sslmode=prefer`)).toThrow(/sslmode alone, one of/)
  expect(() => openAddress('mysql://db')).toThrow('must be a postgresql:// URL')
})

test.each(['ssl=0', 'ssl=true', 'sslcert=client.crt', 'sslnegotiation=direct', 'uselibpqcompat=true'])(
  '%s would put the sslmode of an address aside, and is refused',
  (word) => {
    expect(tlsModeOf(`${address}?sslmode=verify-full&${word}`)).toBeNull()
    expect(() => openAddress(`${address}?sslmode=verify-full&${word}`)).toThrow(/sslmode alone/)
  },
)
