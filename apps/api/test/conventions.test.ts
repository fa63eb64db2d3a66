import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Retained, retention, retentionOf } from '@meridian/contracts'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean)

const isTest = (file: string) => /(^|\/)tests?\/|\.(test|e2e)\.tsx?$|^e2e\/(journeys|support)\//.test(file)
const code = tracked.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('.d.ts'))
const sources = code.filter((file) => !isTest(file))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

type Finding = string
function findings(files: readonly string[], pattern: RegExp): Finding[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}
const outside = (files: readonly string[], ...allowed: RegExp[]) =>
  files.filter((file) => !allowed.some((path) => path.test(file)))

test('the checks read the whole project', () => {
  expect(sources.length).toBeGreaterThan(150)
  expect(code.length - sources.length).toBeGreaterThan(20)
})

describe('one writer each', () => {
  const api = sources.filter((file) => file.startsWith('apps/api/src/'))
  const writes = (table: string) =>
    new RegExp(`\\b(INSERT INTO|UPDATE|DELETE FROM|MERGE INTO)\\s+"?${table}\\b`)
  const prismaWrites = (model: string) => new RegExp(`\\.${model}\\.(create|update|upsert|delete)`)
  test.each([
    ['grants', 'grant', /subscriptions\/write-grant\.ts$/],
    ['subscriptions', 'subscription', /subscriptions\/write-grant\.ts$/],
    ['order_events', 'orderEvent', /orders\/append-event\.ts$/],
    ['notifications', 'notification', /src\/notifications\/[^/]+\.ts$/],
    ['notification_outcomes', 'notificationOutcomeEntry', /src\/notifications\/record-notification\.ts$/],
    ['alerts', 'alert', /src\/alerts\/[^/]+\.ts$/],
    ['audit_entries', 'auditEntry', /audit\/write-audit\.ts$/],
    ['orders', 'order', /\/orders\/[^/]+\.ts$/],
    ['refunds', 'refund', /\/refunds\/[^/]+\.ts$/],
    ['users', 'user', /\/users\/[^/]+\.ts$/],
    ['operators', 'operator', /\/operators\/[^/]+\.ts$/],
    ['operator_changes', 'operatorChange', /\/operators\/[^/]+\.ts$/],
    ['approval_requests', 'approvalRequest', /\/approvals\/[^/]+\.ts$/],
  ])('only its owner writes %s', (table, model, owner) => {
    expect(findings(outside(api, owner), writes(table))).toEqual([])
    expect(findings(outside(api, owner), prismaWrites(model))).toEqual([])
    expect(
      findings(
        api.filter((file) => owner.test(file)),
        new RegExp(`${writes(table).source}|${prismaWrites(model).source}`),
      ),
    ).not.toEqual([])
  })
  test('the queries whose rows are declared by a type alone only become fewer', () => {
    expect(findings(api, /\$queryRaw</).length).toBeLessThanOrEqual(18)
  })
  test('nobody writes the tables of the job library', () => {
    expect(findings(api, /\b(INSERT INTO|UPDATE|DELETE FROM|MERGE INTO)\s+graphile_worker\./)).toEqual([])
  })
  test('only move-order writes the status of an order', () => {
    expect(
      findings(
        outside(api, /orders\/move-order\.ts$/, /src\/(refunds|reconciliation|shipping)\//),
        /\bSET\s+status\b|,\s*status\s*=\s*\$\{/,
      ),
    ).toEqual([])
  })
})

describe('one owner of each rule', () => {
  const shipped = sources.filter((file) =>
    /^(apps|packages)\/[^/]+\/src\/(?!testing\/|messages\/)/.test(file),
  )
  test.each([
    [
      'which statuses are unpaid',
      /\(?'created', 'prepay'[)\]]|=== 'created' \|\|/,
      /contracts\/src\/unpaid\.ts$/,
    ],
    [
      'whether an order may be refunded',
      /\b365 days|'paid' (AND NOT|&& !)\s*(\w+\.)?parked/,
      /refunds\/refund-rules\.ts$/,
    ],
    [
      'how long rows are kept',
      /< \(?business_now\(\) - interval '\d+ (days?|months?)'|business_now\(\)( AT TIME ZONE 'UTC')? - \$\{Prisma\.raw/,
      /platform\/time\/business-time\.ts$|refunds\/refund-rules\.ts$/,
    ],
    [
      'which days a list offers to choose',
      /lastDays\(|(from|start|first).{0,40}(1 - |-)(6|7|29|30|89|90)\b|lastWeek: \{/,
      /contracts\/src\/days\.ts$/,
    ],
    [
      'who acts, and from where',
      /operatorId: string; from: RequestMeta|type (Actor|Editor) =|(editor|actor)Of\(ctx\)|operatorId\b.*, from: ctx\.from/,
      /audit\/write-audit\.ts$|trpc\/procedures\.ts$/,
    ],
    [
      'what a job needs to know',
      /json_build_object\('(outTradeNo|outRefundNo|requestId|date|userId)'|'(sweep|refund|ship|reconcile):'/,
      /jobs\/job-table\.ts$/,
    ],
    ['which settings there are', /type SettingKey =/, /contracts\/src\/console\/setting\.ts$/],
  ])('%s', (_rule, copy, owner) => {
    expect(findings(outside(shipped, owner), copy)).toEqual([])
    expect(shipped.filter((file) => owner.test(file) && copy.test(textOf(file)))).not.toEqual([])
  })
})

test('the operators’ handbook says how long rows are kept', () => {
  const section =
    textOf('docs/operations.md')
      .split('\n## ')
      .find((text) => text.startsWith('How long data are kept')) ?? ''
  const shown = [...section.matchAll(/^\| `(\w+)` +\| (\d+ \w+) /gm)].map(([, ...row]) => row)
  const kept = Object.keys(retention).filter((kind): kind is Retained => kind in retention)
  expect(shown).toEqual(kept.map((kind) => [kind, retentionOf(kind)]))
})

describe('time', () => {
  const api = sources.filter((file) => file.startsWith('apps/api/src/'))
  const tests = code.filter((file) => isTest(file) || /^tools\/(bench|faults)\//.test(file))
  test('statements are dated by the clock of the business alone', () => {
    const bare =
      /(?<![\w.])(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\(\)|\bcurrent_(timestamp|date)\b|\blocaltime/i
    // The doctor compares the machines' clocks themselves.
    const allowed = [
      /jobs\/read-queue\.ts$/,
      /platform\/time\//,
      /doctor\/checks\/(platform|database-addresses)\.ts$/,
    ]
    expect(findings(outside(api, ...allowed), bare)).toEqual([])
    const owners = api.filter((file) => allowed.some((path) => path.test(file)))
    expect(findings(owners, bare)).not.toEqual([])
  })
  test('no statement relies on the time zone of the session, which is what the server or a pooler makes it', () => {
    const relies = new RegExp(
      [
        // A day, a month and a year are as long as the zone makes them.
        /interval '[^']*\b(day|month|year)s?'/,
        /\* interval '1 (day|month|year)'/,
        /date_trunc\('(minute|hour|day|week|month|quarter|year)', (?!.*(AT TIME ZONE|, 'UTC'\)))/,
        // The text and the day of an instant are those of the zone.
        /(_at|_from|_until|\bat)::(text|date|timestamp)\b/,
        /\bto_char\(/,
      ]
        .map(({ source }) => source)
        .join('|'),
      'i',
    )
    const ofCalendarDays = [/reconciliation\/keep-virtual-bills\.ts$/, /dashboard\/show-sales\.ts$/]
    expect(findings(outside(api, ...ofCalendarDays), relies)).toEqual([])
    for (const file of api.filter((file) => ofCalendarDays.some((path) => path.test(file))))
      expect(findings([file], relies).filter((line) => !/::timestamp|month \+ interval/.test(line))).toEqual(
        [],
      )
  })
  test('a program reads the machine’s clock for what it alone counts, and for nothing that is kept', () => {
    const allowed = [
      /src\/(doors\/operations\/drain|platform\/ids\/new-id)\.ts$/,
      /operators\/totp\.ts$/,
      /platform\/limits\/(open-limits|shared-counters)\.ts$/,
      /monitoring\/keep-watching\.ts$/,
      /alerts\/delivery\/send-message\.ts$/,
      /events\/try-delivery\.ts$/,
      /doctor\/(checks\/(platform|database-addresses)|look-at-https)\.ts$/,
    ]
    expect(findings(outside(api, ...allowed), /new Date\(\)|Date\.now\(\)/)).toEqual([])
  })
  test('no test rewrites a date to let time pass', () => {
    const shifts =
      /\bSET\b.*\b(\w+_(at|from|until|before|after)|at)\s*=\s*(\w+\.)?(\w+_(at|from|until|before|after)|at)\s*[-+]/
    const damage = [/faults\/judge\.ts$/, /doors\/commands\.test\.ts$/, /journeys\/replay\.test\.ts$/]
    expect(findings(outside(tests, ...damage), shifts)).toEqual([])
  })
  test('triggers sleep where damage is done on purpose, or years of history are planted, and nowhere else', () => {
    const asleep = /session_replication_role|(DISABLE|ENABLE) TRIGGER/i
    const allowed = [
      /test\/conventions\.test\.ts$/,
      /test\/world\/tamper\.ts$/,
      /journeys\/append-only\.test\.ts$/,
      /e2e\/support\/database\.ts$/,
      /faults\/judge\.ts$/,
      /bench\/plant-history\.ts$/,
      /test\/world\/plant-shop\.ts$/,
    ]
    expect(findings(outside(tests, ...allowed), asleep)).toEqual([])
  })
})

describe('doors', () => {
  const api = sources.filter((file) => file.startsWith('apps/api/src/'))
  test('the web framework is known to the doors and to who starts them', () => {
    expect(findings(outside(api, /src\/doors\//, /src\/app\.ts$/), /from 'fastify|@fastify|@trpc/)).toEqual(
      [],
    )
  })
  test('the environment is read by configuration alone', () => {
    const allowed = [
      /(^|\/)config\.ts$/,
      /src\/main\.ts$/,
      /admin\/src\/server\/serve-console\.ts$/,
      /src\/commands\//,
      /^scripts\//,
      /^e2e\//,
      /\.mjs$/,
      /^packages\/[^/]+\/src\/testing\//,
      /^packages\/db\/development\//,
      /\.config\.ts$/,
      /^tools\/bench\//,
      /packages\/payments\/(bench|acceptance)/,
    ]
    expect(findings(outside(sources, ...allowed), /process\.env/)).toEqual([])
  })
  test('status numbers are written in the table of problems and in the notification answers only', () => {
    const allowed = [/doors\/notifications\//, /doors\/operations\//]
    expect(findings(outside(api, ...allowed), /\.(code|status|writeHead)\((4|5)\d\d/)).toEqual([])
  })
  test('the field names of the platform stay inside packages/payments', () => {
    const others = sources.filter((file) => !/^(packages\/payments|e2e)\//.test(file))
    expect(findings(others, /\b(trade_state|success_time|mchid|payer_total|js_code|session_key:)/)).toEqual(
      [],
    )
  })
})

describe('names', () => {
  test('no folder is a bag', () => {
    expect(
      tracked.filter((file) => /(^|\/)(lib|utils?|common|helpers?|shared|misc|services)\//.test(file)),
    ).toEqual([])
  })
  test('no file is a manager, a handler or a helper', () => {
    expect(code.filter((file) => /(manager|handler|helper|utils?)s?\.(ts|tsx|mjs)$/.test(file))).toEqual([])
  })
})

describe('what comes from outside', () => {
  const shipped = sources.filter((file) => /^(apps|packages)\/[^/]+\/src\//.test(file))
  const isUnknown = (type: ts.TypeNode | undefined) => type?.kind === ts.SyntaxKind.UnknownKeyword

  /** Whether what was read is looked at before it is anything: by a schema, or because its type is `unknown`. */
  function isJudged(call: ts.Node): boolean {
    const { parent } = call
    if (ts.isCallExpression(parent)) return /\.(safeP|p)arse$/.test(parent.expression.getText())
    if (ts.isVariableDeclaration(parent)) return isUnknown(parent.type)
    if (ts.isArrowFunction(parent)) return isUnknown(parent.type)
    if (!ts.isReturnStatement(parent)) return false
    const within = ts.findAncestor(parent, ts.isFunctionLike)
    if (!within) return false
    return (
      isUnknown(within.type) || (ts.isVariableDeclaration(within.parent) && isUnknown(within.parent.type))
    )
  }
  function unjudged(file: string): Finding[] {
    const tree = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true)
    const found: Finding[] = []
    const visit = (node: ts.Node): void => {
      const called = ts.isCallExpression(node) ? node.expression.getText() : ''
      if (called === 'Object' || (called === 'JSON.parse' && !isJudged(node)))
        found.push(`${file}: ${node.getText()}`)
      ts.forEachChild(node, visit)
    }
    visit(tree)
    return found
  }

  test('has no type before something looked at it', () => {
    const reads = shipped.filter((file) => /\bJSON\.parse\(|\bObject\(/.test(textOf(file)))
    expect(reads.length).toBeGreaterThan(5)
    expect(reads.flatMap(unjudged)).toEqual([])
  })
})

describe('nothing is switched off', () => {
  const here = /test\/conventions\.test\.ts$/
  test('no check is silenced', () => {
    const silencers =
      /@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable|^(?!\s*\*).*\bas any\b|as unknown as|\b(TODO|FIXME)\b/
    expect(findings(outside(code, here), silencers)).toEqual([])
  })
  test('no test is skipped, focused, sleeping or mocking modules', () => {
    const tests = code.filter((file) => isTest(file))
    const cheats =
      /\b(it|test|describe)\.(skip|only|todo|fixme)\b|waitForTimeout|\b(vi|jest)\.(mock|doMock)\(|setTimeout\(resolve/
    expect(findings(outside(tests, here), cheats)).toEqual([])
  })
  test('nothing that ships fakes a payment or a user', () => {
    const shipped = sources.filter((file) => !/\/testing\/|^scripts\//.test(file))
    // `IsMock` is the platform's word in its own messages, and never grants.
    expect(findings(shipped, /(?<!Is)mock/i)).toEqual([])
  })
})

describe('budgets', () => {
  const budgeted = sources.filter((file) => !/^(scripts)\//.test(file))

  /** Whole functions, with those inside them. */
  const wholeLimit = 60

  function longFunctions(file: string): Finding[] {
    const tree = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true)
    const found: Finding[] = []
    const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line
    const linesOf = (node: ts.Node) => lineOf(node.getEnd()) - lineOf(node.getStart()) + 1
    const isFunction = (node: ts.Node) => ts.isFunctionLike(node) && 'body' in node && Boolean(node.body)
    const linesWithin = (node: ts.Node): number => {
      let lines = 0
      ts.forEachChild(node, (child) => {
        lines += isFunction(child) ? linesOf(child) - 1 : linesWithin(child)
      })
      return lines
    }
    const visit = (node: ts.Node): void => {
      if (isFunction(node)) {
        // A component is read whole; what only makes functions is judged by its own lines.
        const lines = file.endsWith('.tsx') ? linesOf(node) : linesOf(node) - linesWithin(node)
        const limit = file.endsWith('.tsx') ? 80 : 50
        const whole = /^(apps|packages)\/[^/]+\/src\//.test(file) && linesOf(node) > wholeLimit
        if (lines > limit || whole)
          found.push(`${file}:${lineOf(node.getStart()) + 1}: ${lines} of ${linesOf(node)} lines`)
      }
      ts.forEachChild(node, visit)
    }
    visit(tree)
    return found
  }

  test('no file has more than 300 lines', () => {
    expect(budgeted.filter((file) => textOf(file).split('\n').length > 301)).toEqual([])
  })
  test('no function has more than 50 lines of its own or 60 with those inside it, no component more than 80', () => {
    expect(budgeted.flatMap(longFunctions)).toEqual([])
  })
  test('half of the files have at most 90 lines', () => {
    const lengths = budgeted.map((file) => textOf(file).split('\n').length).sort((one, other) => one - other)
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(90)
  })
})

test('the list of packages and licences is that of the lockfile', () => {
  const program = `import { describeDependencies } from './scripts/list-dependencies.mjs'; console.log(describeDependencies())`
  const current = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(`${textOf('docs/dependencies.md')}\n`).toBe(current)
})

test('the lockfile names no download host', () => {
  expect(findings(['package-lock.json'], /"resolved": "https?:/)).toEqual([])
})
