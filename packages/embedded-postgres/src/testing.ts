export {
  askOne,
  type Cluster,
  canConnect,
  clusterAddress,
  clusterUser,
  findAccount,
  withConnection,
} from './cluster.ts'
export { asProgramUser, createProgramUser } from './create-cluster.ts'
export { findPostmaster } from './postmaster.ts'
export type { Rewinding } from './rewind-server.ts'
export { type Replica, startReplica } from './start-replica.ts'
export { startOnFreePort } from './start-server.ts'
export { atPort, startThrowawayPooler, type ThrowawayPooler } from './start-throwaway-pooler.ts'
export { guardServer, startThrowawayServer, type ThrowawayServer } from './start-throwaway-server.ts'
