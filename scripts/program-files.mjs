import { inCheckout, nodeModule } from './checkout.mjs'

/** @typedef {[string, ...string[]]} NodeCommand what follows `node` */
/** @typedef {'migrate' | 'create-operator'} ApiCommand */
/**
 * @typedef {object} ProgramFiles
 * @property {(name: ApiCommand, args?: string[]) => NodeCommand} apiCommand
 * @property {NodeCommand} api
 * @property {NodeCommand} sandbox
 * @property {(place: { host: string, port: number }) => NodeCommand} console
 */

/** @type {ProgramFiles} */
export const builtFiles = {
  apiCommand: (name, args = []) => [inCheckout(`apps/api/dist/commands/${name}.js`), ...args],
  api: [inCheckout('apps/api/dist/main.js')],
  sandbox: [inCheckout('tools/sandbox/dist/sandbox.js')],
  console: () => [inCheckout('apps/admin/start.mjs')],
}

/** The sources themselves, run again whenever they change. @type {ProgramFiles} */
export const watchedFiles = {
  apiCommand: (name, args = []) => [
    '--import',
    'tsx',
    inCheckout(`apps/api/src/commands/${name}.ts`),
    ...args,
  ],
  api: [nodeModule('tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', inCheckout('apps/api/src/main.ts')],
  sandbox: [
    nodeModule('tsx/dist/cli.mjs'),
    'watch',
    '--clear-screen=false',
    inCheckout('tools/sandbox/src/main.ts'),
  ],
  console: ({ host, port }) => [
    nodeModule('next/dist/bin/next'),
    'dev',
    '--port',
    `${port}`,
    '--hostname',
    host,
  ],
}
