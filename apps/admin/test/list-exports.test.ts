import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ExportName, exportPermissions } from '@meridian/contracts'
import { expect, test } from 'vitest'

const source = path.join(import.meta.dirname, '../src')
const routesRoot = path.join(source, 'app/(console)')

/** The address of every page of the console: its folders without their groups. */
const routes = readdirSync(routesRoot, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'page.tsx')
  .map((file) => `/${path.dirname(file).replaceAll(/\([^)]*\)\/?/g, '')}`)
  .sort()

/** What can be taken out of each page that lists something. */
const exported: Readonly<Record<string, readonly ExportName[]>> = {
  '/alerts': ['alerts', 'parked'],
  '/approvals': ['approvals'],
  '/audit': ['audit'],
  '/devices': ['devices'],
  '/notifications': ['notifications', 'rejected'],
  '/orders': ['orders'],
  '/reconciliation': ['days', 'differences'],
  '/refunds': ['refunds'],
  '/refunds/inquiries': ['inquiries'],
  '/reports': ['reports'],
  '/revenue': ['deferred'],
  '/shipping': ['shipments'],
  '/staff': ['staff'],
  '/subscriptions': ['subscriptions', 'grants'],
  '/subscriptions/[userId]': ['ledger', 'grants'],
  '/users': ['users'],
  '/users/[id]': ['ledger'],
}

/** Pages without a file of their own, and why. */
const exceptions: Readonly<Record<string, string>> = {
  '/account': 'one’s own account and sessions',
  '/alerts/[id]': 'one alert; its differences are in the file of differences',
  '/alerts/channels': 'messages of alarm channels: what they told stands in the file of alerts',
  '/audit/[id]': 'one entry',
  '/dashboard': 'figures; each opens the list behind it, which has a file',
  '/devices/[serialNumber]': 'one device',
  '/devices/import': 'the result of one import, which is a file itself',
  '/diagnosis': 'configuration, of which every version is kept',
  '/exports': 'the files themselves',
  '/finance': 'the month is taken out as a workbook of all that it is made of',
  '/getting-started': 'steps of the first hour',
  '/inbox': 'depends on who looks; what in it waits for everybody stands in a list that has a file',
  '/jobs': 'what the machine has to do now, gone when it is done; metrics keep its history',
  '/keys': 'keys leave the console in no form',
  '/notifications/[id]': 'one notification',
  '/orders/[outTradeNo]': 'one order',
  '/orders/[outTradeNo]/receipt': 'a page to print',
  '/plans': 'a catalogue of a few plans, all on one page',
  '/plans/[code]': 'one plan; changes of its price are in the audit log',
  '/reconciliation/[date]': 'one day; its differences are in the file of differences',
  '/reconciliation/differences/[id]': 'one difference; it is in the file of differences',
  '/refunds/[outRefundNo]': 'one refund',
  '/reports/[id]': 'health data, which leave in the export of its user alone',
  '/settings': 'configuration; its changes are in the audit log',
  '/developers/deliveries/[id]': 'one message to another system',
  '/developers/webhooks': 'fifty endpoints at most; their changes are in the audit log',
  '/developers/webhooks/[id]':
    'one endpoint; what is sent to it is kept for thirty days and is read at /integration/events',
  '/developers': 'a hundred keys at most, and nothing of them leaves but their names',
  '/developers/imports': 'files that came in; what is wrong with one is taken out beside it',
  '/tags': 'two hundred labels at most; who bears one is in the file of the list it narrows',
  '/staff/[operatorId]': 'one operator; what they did is in the file of the audit log',
}

const features = readdirSync(path.join(source, 'features'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => readFileSync(path.join(source, 'features', file), 'utf8'))
  .join('\n')

test('every page of the console has a file, or a reason why it has none', () => {
  expect(routes.length).toBeGreaterThan(30)
  expect([...Object.keys(exported), ...Object.keys(exceptions)].sort()).toEqual(routes)
})

test('every file that the API writes is offered on a page', () => {
  const offered = new Set(Object.values(exported).flat())
  expect([...offered].sort()).toEqual(Object.keys(exportPermissions).sort())
})

test('a page that is said to have a file has the button for it', () => {
  // The page of reconciliation exports the view that is open, by the name of its file.
  const ofView: readonly string[] = ['days', 'differences']
  expect(features).toContain('exportAs: list.params.view')
  const named = [...new Set(Object.values(exported).flat())].filter((name) => !ofView.includes(name))
  const missing = named.filter(
    (name) => !features.includes(`exportAs: '${name}'`) && !features.includes(`name="${name}" query=`),
  )
  expect(missing).toEqual([])
})
