import { expect, test } from 'vitest'
import { refuseForeignSettings } from '../local-database.mjs'
import { withoutPassword } from '../open-psql.mjs'

const address = 'postgresql://meridian:secret%2Fword@127.0.0.1:5432/meridian'

test('what drops or fills a database refuses any but the embedded one, and a merchant account', () => {
  const refusalOf = (settings: Record<string, string>) => () => refuseForeignSettings('db:reset', settings)
  expect(refusalOf({ DATABASE_URL: address })).toThrow('DATABASE_URL is set')
  expect(refusalOf({ WECHAT_PAY_MCH_ID: '1900000000' })).toThrow('a merchant account is configured')
  expect(refusalOf({ PORT: '4000' })).not.toThrow()
})

test('an address is shown without its password', () => {
  expect(withoutPassword(address)).toEqual({
    address: 'postgresql://meridian@127.0.0.1:5432/meridian',
    password: 'secret/word',
  })
})
