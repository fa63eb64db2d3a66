export { askOne, canConnect, withConnection } from './cluster.ts'
export { asProgramUser, createProgramUser } from './create-cluster.ts'
export { startThrowawayServer, type ThrowawayServer } from './start-throwaway-server.ts'
