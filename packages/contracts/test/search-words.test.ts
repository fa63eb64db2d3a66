import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberWithin } from '../src/console/number-within.ts'
import { readSearchWords } from '../src/console/search-words.ts'
import { dayAfter } from '../src/days.ts'
import { formatFen } from '../src/fen.ts'

const today = '2026-11-27'
const order = 'M01JD7QKX84Z9QABCDEFGHJKMNP'

describe('the words of a search', () => {
  test.each([
    ['199 11-20', 19_900, '2026-11-20', ''],
    ['11-20 199', 19_900, '2026-11-20', ''],
    ['¥199.00 2026-11-20', 19_900, '2026-11-20', ''],
    ['199元 昨天', 19_900, '2026-11-26', ''],
    ['昨天199元', 19_900, '2026-11-26', ''],
    ['199今天', 19_900, '2026-11-27', ''],
    ['今天 199', 19_900, '2026-11-27', ''],
    ['11月20日 199', 19_900, '2026-11-20', ''],
    ['2025年1月2日，￥1,299.5', 129_950, '2025-01-02', ''],
    ['29.9 yesterday', 2990, '2026-11-26', ''],
    ['Today 29', 2900, '2026-11-27', ''],
    ['前天', null, '2026-11-25', ''],
    ['小明 199', 19_900, null, '小明'],
    ['小明 11-20', null, '2026-11-20', '小明'],
    ['199 29', 19_900, null, '29'],
    ['Tom 2 29.90', 2990, null, 'Tom 2'],
    ['Tom 2 199元', 19_900, null, 'Tom 2'],
    ['199 Nov 20', 19_900, '2026-11-20', ''],
    ['Nov 20 199', 19_900, '2026-11-20', ''],
    ['20 november, 29.90', 2990, '2026-11-20', ''],
    ['Dec. 31, 2025 199', 19_900, '2025-12-31', ''],
    ['Tom sept 3', null, '2026-09-03', 'Tom'],
    ['May 199', 19_900, null, 'May'],
    ['Marcus 20', 2000, null, 'Marcus'],
    ['12-31', null, '2025-12-31', ''],
    ['2/29', null, null, '2/29'],
    ['2027-01-01', null, null, '2027-01-01'],
    ['13-01 0', null, null, '13-01 0'],
    ['昨天的雨', null, null, '昨天的雨'],
    ['0001-01-01', null, null, '0001-01-01'],
    ['constructor 12345678', null, null, 'constructor 12345678'],
  ])('%s', (text, ...read) => {
    const { amountFen, day, rest } = readSearchWords(text, today)
    expect([amountFen, day, rest]).toEqual(read)
  })

  const amounts = fc.integer({ min: 1, max: 999_999_999 })
  const daysAgo = fc.integer({ min: 0, max: 364 })

  test('say the amount and the day that were written, in whichever order', () => {
    const written = fc.record({ fen: amounts, ago: daysAgo, dayFirst: fc.boolean(), withYear: fc.boolean() })
    fc.assert(
      fc.property(written, ({ fen, ago, dayFirst, withYear }) => {
        const day = dayAfter(today, -ago)
        const words = [formatFen(fen), withYear ? day : day.slice(5)]
        const text = (dayFirst ? words.reverse() : words).join(' ')
        expect(readSearchWords(text, today)).toEqual({ amountFen: fen, day, rest: '' })
      }),
    )
  })

  test('whatever they are, name no day that is to come and no amount without a value', () => {
    const word = fc.oneof(fc.string(), fc.stringMatching(/^[\d./\-,元月日¥]{1,12}$/))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const { amountFen, day, rest } = readSearchWords(words.join(' '), today)
        if (day !== null) expect(day >= '2000-01-01' && day <= today && dayAfter(day, 0) === day).toBe(true)
        if (amountFen !== null)
          expect(Number.isSafeInteger(amountFen) && amountFen > 0 && amountFen < 2 ** 31).toBe(true)
        expect(rest.length).toBeLessThanOrEqual(words.join(' ').length)
      }),
    )
  })
})

describe('the number within a message', () => {
  test.each([
    [`您好，我的订单${order}，付了钱没有开通`, order],
    ['退款单号50000000382019052709732678859什么时候到账', '50000000382019052709732678859'],
    ['微信退款 5030012345678901234567890123 没到', '5030012345678901234567890123'],
    ['订单尾号 AB12CD 帮我查一下', 'AB12CD'],
    ['尾号:ab12cd', 'ab12cd'],
    ['订单后六位是QWERTY', 'QWERTY'],
    ['my order is the one ending in AB12CD please', 'AB12CD'],
    ['last six characters: 9QX84Z', '9QX84Z'],
    ['设备SN-2026-7731一直连不上', 'SN-2026-7731'],
    ['the device sn00004711 does not connect', 'sn00004711'],
    ['设备序列号：W1-000123，绑定不了', 'W1-000123'],
    ['客服你好，麻烦看下 9QX84Z 谢谢，电话13800138000', '9QX84Z'],
    ['openid oABCDEFGHIJKLMNOPQRSTUVWXYZ1 of the user', 'oABCDEFGHIJKLMNOPQRSTUVWXYZ1'],
    ['M01JD7QK…X84Z9Q', 'X84Z9Q'],
    ['设备DEMO-0044坏了', 'DEMO-0044'],
    ['设备 w100044 坏了', 'w100044'],
    ['MER-2026-A7 stopped working yesterday', 'MER-2026-A7'],
    ['MER-A1-B234 stopped working yesterday', 'MER-A1-B234'],
    ['since COVID-19 my MER-2026-A7 does not find WI-FI-6', 'MER-2026-A7'],
    ['it does not connect over WI-FI-6', 'it does not connect over WI-FI-6'],
    ['bought before COVID-19', 'bought before COVID-19'],
    ['MER-A1-B23 stopped working', 'MER-A1-B23 stopped working'],
    ['序列号 W1-12 stopped working', 'W1-12'],
    ['PLEASE CALL ME BACK-SOON', 'PLEASE CALL ME BACK-SOON'],
    ['设备2026-11-20坏了', '设备2026-11-20坏了'],
    ['call 138-0013-8000 please', 'call 138-0013-8000 please'],
    ['order number please', 'order number please'],
    ['我的电话是13800138000，请联系我', '我的电话是13800138000，请联系我'],
    ['199 2026-11-20 昨天下的单', '199 2026-11-20 昨天下的单'],
    ['小明', '小明'],
  ])('%s', (text, number) => {
    expect(numberWithin(text)).toBe(number)
  })

  test('is never longer than what it was taken from, and stands in it', () => {
    fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => text.includes(numberWithin(text))))
  })
})
