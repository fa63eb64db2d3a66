export { askOne, canConnect } from './ask-one.ts'
export { withConnection } from './cluster.ts'
export { asProgramUser, createProgramUser } from './program-user.ts'
export { startThrowawayServer, type ThrowawayServer } from './start-throwaway-server.ts'
