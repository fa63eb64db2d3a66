const api = '^apps/api/src'
const nouns =
  'account|retention|finance|dashboard|search|invariants|payments|orders|subscriptions|notifications|refunds|reconciliation|shipping|plans|settings|users|devices|reports|diagnosis|operators|audit|views|alerts|keys|jobs|monitoring|approvals|notes|tags|inbox|api-keys|identity|imports|events'

/** Among nouns the arrows point down only: each may import what is named here, and nothing else. */
const arrows = {
  account: ['users', 'orders', 'subscriptions', 'notifications', 'devices', 'notes', 'tags', 'imports'],
  dashboard: ['orders', 'subscriptions', 'refunds', 'notifications', 'alerts', 'approvals', 'inbox'],
  finance: ['dashboard', 'orders', 'audit', 'settings'],
  search: ['orders', 'users', 'devices'],
  retention: [
    'imports',
    'notifications',
    'users',
    'operators',
    'devices',
    'events',
    'reconciliation',
    'alerts',
    'subscriptions',
    'inbox',
  ],
  invariants: ['orders', 'subscriptions', 'finance', 'alerts'],
  payments: [
    'orders',
    'subscriptions',
    'notifications',
    'refunds',
    'settings',
    'alerts',
    'audit',
    'jobs',
    'keys',
    'approvals',
  ],
  refunds: ['subscriptions', 'orders', 'settings', 'alerts', 'audit', 'jobs', 'approvals'],
  reconciliation: ['orders', 'alerts', 'audit', 'jobs'],
  shipping: ['orders', 'settings', 'alerts', 'audit', 'jobs'],
  orders: ['plans', 'settings', 'jobs', 'audit', 'tags'],
  plans: ['settings', 'approvals', 'alerts', 'audit'],
  subscriptions: ['settings', 'approvals', 'alerts', 'audit', 'api-keys'],
  operators: ['audit', 'alerts', 'identity'],
  identity: [],
  users: ['subscriptions', 'settings', 'audit', 'tags'],
  devices: ['settings', 'subscriptions', 'audit', 'tags'],
  reports: ['settings', 'subscriptions', 'diagnosis', 'audit'],
  diagnosis: ['subscriptions', 'settings', 'approvals', 'alerts', 'audit'],
  settings: ['approvals', 'alerts', 'audit', 'jobs'],
  notifications: ['alerts', 'audit'],
  alerts: ['audit'],
  keys: ['alerts', 'audit', 'jobs'],
  jobs: ['audit'],
  audit: [],
  approvals: [],
  monitoring: ['alerts', 'events', 'jobs', 'orders', 'reconciliation', 'shipping'],
  views: ['audit'],
  notes: ['alerts', 'audit'],
  tags: ['audit'],
  'api-keys': ['audit'],
  imports: ['users', 'orders', 'subscriptions', 'devices', 'jobs', 'audit'],
  events: ['alerts', 'audit'],
  inbox: ['orders', 'refunds', 'reconciliation', 'alerts', 'approvals', 'audit', 'notes'],
}

const rule = (name, [from, to], comment) => ({ name, severity: 'error', comment, from, to })

const nounRules = Object.entries(arrows).map(([noun, below]) =>
  rule(
    `arrows-of-${noun}`,
    [
      { path: `${api}/${noun}/` },
      { path: `${api}/(${nouns})/`, pathNot: `${api}/(${[noun, ...below].join('|')})/` },
    ],
    `${noun} may import ${below.join(', ') || 'no other noun'}`,
  ),
)

export default {
  forbidden: [
    rule('no-circles', [{}, { circular: true }], 'arrows never come back'),
    rule(
      'no-unresolvable',
      [{}, { couldNotResolve: true, pathNot: ['next/image-types', 'generated', '^next-auth', '\\.css$'] }],
      'every import leads somewhere',
    ),
    rule(
      'contracts-stand-alone',
      [{ path: '^packages/contracts/src' }, { path: '^(apps|packages/(db|payments|process)|e2e)/' }],
      'contracts import nothing of ours',
    ),
    rule(
      'payments-stand-alone',
      [{ path: '^packages/payments/src' }, { path: '^(apps|packages/(db|contracts|process)|e2e)/' }],
      'payments is complete in itself',
    ),
    rule(
      'db-knows-no-business',
      [{ path: '^packages/db/src' }, { path: '^(apps|packages/(payments|contracts)|e2e)/' }],
      'db knows no business',
    ),
    rule(
      'embedded-postgres-knows-no-schema',
      [
        { path: '^packages/embedded-postgres/' },
        { path: '^(apps|packages/(?!embedded-postgres/|process/)|e2e)/' },
      ],
      'it runs a server; whose tables lie in it is not its business',
    ),
    rule(
      'what-ships-runs-no-database-server',
      [
        { path: '^(apps/[^/]+|packages/(db|payments|contracts))/src', pathNot: '^packages/db/src/testing/' },
        { path: '^packages/embedded-postgres/' },
      ],
      'programs connect to the database they are given',
    ),
    rule(
      'what-ships-needs-no-schema-engine',
      [
        { path: '^(apps/[^/]+|packages/db)/src' },
        { path: '^packages/db/development/|@prisma/schema-engine-wasm' },
      ],
      'migrations are applied by pg; the engine is for whoever writes them',
    ),
    rule(
      'process-knows-nothing-of-ours',
      [{ path: '^packages/process/src' }, { path: '^(apps|packages/(?!process/)|e2e)/' }],
      'process knows programs and ports, and none of ours',
    ),
    rule(
      'tracing-knows-nothing-of-ours',
      [{ path: '^packages/tracing/src' }, { path: '^(apps|packages/(?!tracing/)|e2e)/' }],
      'tracing knows spans and orders by number; who says what of them is the business of the programs',
    ),
    rule(
      'only-tracing-knows-opentelemetry',
      [{ path: '^(apps|packages/(?!tracing/))' }, { path: 'node_modules/@opentelemetry/' }],
      'the library is loaded in one place, and only where traces are on',
    ),
    rule(
      'what-ships-starts-no-program',
      [
        { path: '^apps/[^/]+/src' },
        {
          path: '^packages/process/src/(?!drain-server|inherited-sockets|profile-on-signal|read-environment|take-console)',
        },
      ],
      'a program that ships takes the sockets it is given; it starts nothing and claims nothing',
    ),
    rule(
      'mutants-read-the-code-as-text',
      [{ path: '^tools/mutants/' }, { path: '^(apps|packages|e2e|tools/(?!mutants/))' }],
      'what changes the code in memory imports none of it',
    ),
    rule(
      'nobody-needs-mutants',
      [{ path: '^(apps|packages|e2e|tools/(?!mutants/))' }, { path: '^tools/mutants/' }],
      'mutants are for whoever asks how good the tests are',
    ),
    rule(
      'the-platform-is-for-tests',
      [
        { path: '^(apps/[^/]+/src|packages/(db|contracts)/src)' },
        { path: '^(packages/payments/src/testing|e2e)/' },
      ],
      'nothing that ships imports the test platform',
    ),
    rule(
      'payments-ships-without-its-platform',
      [{ path: '^packages/payments/src/(?!testing/)' }, { path: '^packages/payments/src/testing/' }],
      'the client never needs the platform',
    ),
    rule(
      'only-tests-use-test-databases',
      [
        { path: '^(apps|packages)/[^/]+/src', pathNot: '^packages/db/src/testing/' },
        { path: '^packages/db/src/testing/' },
      ],
      'nothing that ships imports test databases',
    ),
    rule(
      'console-never-touches-the-database',
      [{ path: '^apps/admin/' }, { path: '^packages/(db|payments)/' }],
      'the console speaks to the API only',
    ),
    rule(
      'only-the-router-type-crosses-apps',
      [{ path: '^apps/admin/' }, { path: '^apps/api/', pathNot: '^apps/api/src/doors/trpc/router\\.ts$' }],
      'AppRouter is the one type that crosses',
    ),
    rule(
      'ui-knows-no-business',
      [{ path: '^apps/admin/src/ui/' }, { path: '^apps/admin/src/(app|features|kit|api-client|session)/' }],
      'ui knows no business and no data',
    ),
    rule(
      'ui-stands-on-no-kit',
      [{ path: '^apps/admin/src/ui/' }, { path: '^apps/admin/src/kit/' }],
      'the kits are made of what ui shows',
    ),
    rule(
      'links-come-from-ui',
      [
        { path: '^apps/admin/src/', pathNot: '^apps/admin/src/ui/link\\.tsx$' },
        { path: 'node_modules/next/link' },
      ],
      'a link of ours asks for nothing before it is approached, and opens in place where it can',
    ),
    rule(
      'kits-know-no-noun',
      [
        { path: '^apps/admin/src/kit/' },
        { path: '^apps/admin/src/(app/|features/|paths\\.ts|addresses\\.ts)' },
      ],
      'a kit serves every noun: what is of one comes with its definition',
    ),
    rule(
      'lists-come-from-the-kit',
      [
        { path: '^apps/admin/src/features/' },
        { path: '^apps/admin/src/ui/data-table/', pathNot: '/(column|page-turner)\\.tsx?$' },
      ],
      'a table of a feature is a definition that kit/list shows',
    ),
    rule(
      'features-know-no-routes',
      [{ path: '^apps/admin/src/features/' }, { path: '^apps/admin/src/app/' }],
      'routes use features',
    ),
    rule(
      'nouns-know-no-doors',
      [{ path: `${api}/(${nouns})/` }, { path: `${api}/(doors|commands|startup)/|${api}/(app|main)\\.ts$` }],
      'nothing calls back up',
    ),
    rule(
      'platform-knows-no-noun',
      [{ path: `${api}/platform/` }, { path: `${api}/(?!platform/|services\\.ts|config\\.ts)` }],
      'what every noun stands on imports no noun and no door',
    ),
    ...nounRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The walk imports a client that its test generates.
    exclude: { path: '(^|/)(dist|\\.next|generated)/|^tools/packed-packages/test/project/walk\\.ts$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
    },
  },
}
