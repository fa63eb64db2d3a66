import { expect, test } from 'vitest'
import type { Wx } from '../src/index.ts'
import { report } from './full-answers.ts'

type Tap = { currentTarget: { dataset: object } }
type TreatmentPage = { start: (tap: Tap) => Promise<void> }

/** The `wx` and the `Page` that the sample's pages find, and an API that keeps reports while it is within reach. */
async function openTreatmentPage() {
  const kept = new Map<string, unknown>()
  const stored: string[] = []
  const shop = { withinReach: true, stored }
  const request: Wx['request'] = ({ url, data, success, fail }) => {
    if (!shop.withinReach) return fail?.({ errMsg: 'request:fail' })
    if (url.endsWith('/reports')) stored.push(JSON.parse(data ?? '').client_report_id)
    const answer = url.endsWith('/reports') ? report() : { access_token: 'a', refresh_token: 'r' }
    success?.({ statusCode: 200, header: {}, data: answer })
  }
  const pages: TreatmentPage[] = []
  Object.assign(globalThis, {
    Page: (page: TreatmentPage) => pages.push(page),
    wx: {
      request,
      login: ({ success }: Parameters<Wx['login']>[0]) => success?.({ code: 'code' }),
      showToast: () => undefined,
      getDeviceInfo: () => ({ platform: 'ios' }),
      getStorageSync: (key: string) => kept.get(key) ?? '',
      setStorageSync: (key: string, value: unknown) => kept.set(key, value),
      removeStorageSync: (key: string) => kept.delete(key),
    },
  })
  // @boundaries-ignore the sample is no package, and what it does is tested here
  await import('../../../examples/miniprogram/miniprogram/pages/treatment/treatment.ts')
  const [page] = pages
  if (!page) throw new Error('the page did not register')
  return { shop, tap: () => page.start({ currentTarget: { dataset: { code: 'relax', locked: false } } }) }
}

test('a treatment that could not be stored is stored with the next, once, under the number it had', async () => {
  const { shop, tap } = await openTreatmentPage()
  shop.withinReach = false
  await tap()
  shop.withinReach = true
  await tap()
  await tap()
  expect([shop.stored.length, new Set(shop.stored).size]).toEqual([3, 3])
})
