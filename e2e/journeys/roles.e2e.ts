import { mayOperator, OperatorRole, type Permission, permissions } from '@meridian/contracts'
import type { Page } from '@playwright/test'
import { type Desks, furnishDesks } from '../support/furnish-desks.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { type Act, actsAt, type Gate } from '../support/role-acts.ts'
import { world } from '../support/world.ts'

const words: Record<OperatorRole, string> = {
  viewer: '查看者',
  operator: '运营',
  finance: '财务',
  owner: '所有者',
}
const either = new Intl.ListFormat('zh-CN', { type: 'disjunction' })

/** How the console tells somebody why not: who they are, and who may. */
function reasonFor(role: OperatorRole, permission: Permission): RegExp {
  const allowed = OperatorRole.options.filter((other) => mayOperator(other, permission))
  return new RegExp(`${words[role]}.*需要：?${either.format(allowed.map((other) => words[other]))}$`)
}

type Expected = { may: boolean; reason: RegExp }

async function expectAct(page: Page, { button, row }: Act, { may, reason }: Expected) {
  const place = row ? page.getByRole('row').filter({ hasText: row }) : page.getByRole('main')
  const act = place.getByRole('button', { name: button, exact: true }).first()
  await expect(act).toHaveAttribute('aria-disabled', may ? 'false' : 'true')
  if (!may) await expect(act).toHaveAccessibleDescription(reason)
}

async function expectGate(page: Page, { shows, refusal, narrow }: Gate, { may, reason }: Expected) {
  const main = page.getByRole('main')
  await expect(main).toContainText(may ? shows : refusal)
  await expect(main).not.toContainText(may ? refusal : shows)
  if (!may && !narrow) await expect(main.getByText(reason).first()).toBeAttached()
}

// Some thirty pages each.
test.describe.configure({ mode: 'parallel', timeout: 300_000 })

let desks: Desks
test.beforeAll(async () => {
  desks = await furnishDesks()
})

const isPermission = (name: string): name is Permission => name in permissions

/** What each page holds for a permission, page by page. */
function pagesOf(acts: ReturnType<typeof actsAt>) {
  const pages = new Map<string, { permission: Permission; place: Act | Gate }[]>()
  for (const permission of Object.keys(permissions).filter(isPermission))
    for (const place of acts[permission])
      pages.set(place.path, [...(pages.get(place.path) ?? []), { permission, place }])
  return pages
}

for (const role of OperatorRole.options)
  test(`the ${role} finds every act of theirs open on every page, and by every other who may do it`, async ({
    signedIn,
  }) => {
    const page = await signedIn(role)
    await page.goto(`${world().consoleUrl}/account`)
    for (const [path, places] of pagesOf(actsAt(desks)))
      await test.step(path, async () => {
        await goWithin(page, path)
        for (const { permission, place } of places) {
          const expected = { may: mayOperator(role, permission), reason: reasonFor(role, permission) }
          if ('button' in place) await expectAct(page, place, expected)
          else await expectGate(page, place, expected)
        }
      })
  })
