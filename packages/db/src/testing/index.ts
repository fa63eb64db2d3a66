export {
  asProgram,
  assertDisposable,
  type ClonedDatabase,
  cloneDatabase,
  startTestCluster,
  type TestCluster,
} from './test-cluster.ts'
