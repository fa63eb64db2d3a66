export { assertDisposable } from './assert-disposable.ts'
export { type ClonedDatabase, cloneDatabase } from './clone-database.ts'
export { asProgram, startTestCluster, type TestCluster } from './start-test-cluster.ts'
