import { randomBytes, randomUUID } from 'node:crypto'
import { openSocket } from '@meridian/process'
import type { APIResponse, Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { startProgram } from '../support/start-process.ts'
import { plantOperator } from '../support/stored-operators.ts'
import { world } from '../support/world.ts'

const consoleUrl = () => world().consoleUrl

/** What an answer says under that name: once, or it is told apart here. */
const headerOf = (answer: APIResponse, name: string) =>
  answer
    .headersArray()
    .filter((header) => header.name.toLowerCase() === name)
    .map(({ value }) => value)

const data = `default-src 'none'; frame-ancestors 'none'`

test('every answer of the console asks for TLS for a year and is framed by nobody', async ({ request }) => {
  const signIn = await (await request.get(`${consoleUrl()}/sign-in`)).text()
  const [chunk = ''] = /\/_next\/static\/[^"]+\.js/.exec(signIn) ?? []
  expect(chunk).not.toBe('')
  const pages = ['/sign-in', '/', '/orders', '/nothing-here']
  const others = [
    chunk,
    '/icon.svg',
    '/_next/static/nothing.js',
    '/api/trpc/operator.context',
    '/api/nothing',
  ]
  const doors = [
    '/api/auth/session',
    '/api/auth/signin',
    '/console/exports/orders',
    '/console/imports/devices',
  ]
  for (const path of [...pages, ...others, ...doors])
    for (const method of ['GET', 'POST']) {
      const answer = await request.fetch(`${consoleUrl()}${path}`, { method, maxRedirects: 0 })
      const [policy, ...more] = headerOf(answer, 'content-security-policy')
      const seen = [method, path, headerOf(answer, 'strict-transport-security'), more]
      expect(seen).toEqual([method, path, ['max-age=31536000; includeSubDomains'], []])
      if (pages.includes(path)) expect(policy).toMatch(/object-src 'none';.*frame-ancestors 'none'$/)
      else expect([path, policy]).toEqual([path, data])
    }
})

/** What a page was refused, and whom else than us it asked. */
function watch(page: Page) {
  const found: string[] = []
  page.on(
    'console',
    (message) => /Content Security Policy/.test(message.text()) && found.push(message.text()),
  )
  page.on('pageerror', (error) => found.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(world().apiUrl) && !request.url().startsWith('data:'))
      found.push(request.url())
  })
  return found
}

test('the documents of the API can be read and browsed under policies of their own', async ({ page }) => {
  const found = watch(page)
  await page.goto(`${world().apiUrl}/api/v1/docs`)
  await expect(page.getByText('/api/v1/subscription/purchase').first()).toBeVisible()
  await page.goto(`${world().apiUrl}/api/v1/docs/problems`)
  await expect(page.getByRole('heading', { name: /not_found/ }).first()).toBeVisible()
  expect(await page.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('960px')
  expect(found).toEqual([])
})

test('where the console has TLS its cookies are bound to the host, and its log is JSON lines with their time', async ({
  request,
}) => {
  const [http, silent] = await Promise.all([openSocket(), openSocket()])
  silent.close()
  const console = await startProgram({
    file: 'apps/admin/start.mjs',
    env: {
      HOST: '127.0.0.1',
      API_URL: silent.url,
      CONSOLE_URL: 'https://console.example.com',
      AUTH_SECRET: randomBytes(36).toString('base64url'),
      DRAIN_SECONDS: '0',
    },
    http,
    ready: `${http.url}/sign-in`,
  })
  try {
    const read = async (cookie: string) =>
      (await request.get(`${http.url}/sign-in`, { headers: { cookie, 'accept-language': 'zh' } })).text()
    const chosen = await read('__Host-meridian.language=en; __Host-meridian.theme=dark')
    expect(/<html[^>]*>/.exec(chosen)?.[0]).toMatch(/lang="en".*data-theme="dark"/)
    expect(/<html[^>]*>/.exec(await read('meridian.language=en'))?.[0]).toContain('lang="zh-CN"')
    const set = headerOf(await request.get(`${http.url}/api/auth/csrf`), 'set-cookie')
    expect(set.length).toBeGreaterThan(1)
    for (const cookie of set) expect(cookie).toMatch(/^__Host-[^;]+; (?=.*Path=\/(;|$))(?=.*Secure)/)

    expect((await request.get(`${http.url}/api/trpc/operator.context`)).status()).toBe(503)
    const line = {
      level: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      msg: expect.any(String),
    }
    const said = (): unknown[] =>
      console
        .output()
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text))
    await expect.poll(() => JSON.stringify(said())).toContain('the API did not answer')
    for (const entry of said()) expect(entry).toMatchObject(line)
    expect(said()).toContainEqual(expect.objectContaining({ level: 30, msg: 'console ready' }))
  } finally {
    await console.stop()
    http.close()
  }
})

test('who signs in again in the same browser leaves no session behind', async ({
  page,
  context,
  request,
}) => {
  const email = `again-${randomUUID().slice(0, 8)}@meridian.test`
  const { password } = await plantOperator({ email, role: 'viewer' })
  const tabs = [page, await context.newPage()]
  for (const tab of tabs) await tab.goto(`${consoleUrl()}/sign-in`)
  const sessions = []
  for (const tab of tabs) {
    await tab.getByLabel('邮箱').fill(email)
    await tab.getByLabel('密码', { exact: true }).fill(password)
    await tab.getByRole('button', { name: '登录', exact: true }).click()
    await expect(tab.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
    sessions.push(...(await context.cookies()).filter(({ name }) => name === 'meridian.session'))
  }
  const answers = sessions.map(async ({ name, value }) => {
    const headers = { cookie: `${name}=${value}` }
    return (await request.get(`${consoleUrl()}/api/trpc/operator.context`, { headers })).status()
  })
  expect(await Promise.all(answers)).toEqual([401, 200])
})
