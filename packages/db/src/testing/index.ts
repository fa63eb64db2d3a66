export { atPort } from '@meridian/embedded-postgres/testing'
export { openPoolerDouble, type PoolerDoubleOptions } from './pooler-double.ts'
export {
  assertDisposable,
  type ClonedDatabase,
  cloneDatabase,
  clonePlanted,
  type RewindableCluster,
  startRewindableCluster,
  startTestCluster,
  type TestCluster,
} from './test-cluster.ts'
export { asProgram, keepDirectGate, programSettings, throughPooler } from './test-pooler.ts'
export { startTlsServer, type TlsServer } from './tls-server.ts'
export { message, welcome } from './wire-messages.ts'
